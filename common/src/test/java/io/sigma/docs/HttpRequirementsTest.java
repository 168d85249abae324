package io.sigma.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each case of docs/http.md names its tests, and each requirement of the RFCs a test or why it does not apply. */
class HttpRequirementsTest {

    private static final Set<String> RFCS =
            Set.of("9110", "9111", "9112", "9113", "7239", "6455", "8441", "9218", "8586");

    private static NamedTests tests;
    private static List<String> cases = List.of();
    private static List<String> requirements = List.of();

    @BeforeAll
    static void read() throws IOException {
        tests = NamedTests.read();
        List<String> lines = Files.readAllLines(NamedTests.ROOT.resolve("docs/http.md"));
        int lists = lines.indexOf("## Every MUST");
        assertThat(lists).isPositive();
        cases = rows(lines.subList(0, lists));
        requirements = rows(lines.subList(lists, lines.size()));
    }

    private static List<String> rows(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith("| "))
                .filter(line ->
                        !line.startsWith("| --- ") && !line.startsWith("| input ") && !line.startsWith("| no. "))
                .toList();
    }

    @Test
    void everyCaseNamesTestsThatExist() throws IOException {
        assertThat(cases).hasSizeGreaterThan(50);
        for (String line : cases) {
            String[] cells = NamedTests.cells(line);
            assertThat(cells).as(line).hasSize(6);
            assertTestsExist(cells[4], cells[1].strip());
        }
    }

    @Test
    void everyRequirementIsTestedOrDoesNotApply() throws IOException {
        for (String line : requirements) {
            String[] cells = NamedTests.cells(line);
            assertThat(cells).as(line).hasSize(7);
            String number = cells[1].strip();
            if (cells[5].strip().equals("—")) {
                assertThat(cells[4].strip())
                        .as("what Sigma does of requirement %s, which has no test", number)
                        .matches("Does not apply.{10,}");
            } else {
                assertTestsExist(cells[5], number);
            }
        }
    }

    @Test
    void requirementsOfEachRfcAreNumberedWithoutGaps() {
        Map<String, Integer> last = new HashMap<>();
        for (String line : requirements) {
            String number = NamedTests.cells(line)[1].strip();
            String rfc = number.substring(0, number.indexOf('.'));
            assertThat(number).isEqualTo(rfc + "." + last.merge(rfc, 1, Integer::sum));
        }
        assertThat(last.keySet()).isEqualTo(RFCS);
    }

    private static void assertTestsExist(String cell, String what) throws IOException {
        List<String> named = NamedTests.code(cell);
        assertThat(named).as("tests of \"%s\"", what).isNotEmpty();
        for (String test : named) {
            assertThat(tests.exists(test))
                    .as("%s, a test of \"%s\"", test, what)
                    .isTrue();
        }
    }
}
