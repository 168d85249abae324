package io.sigma.dataplane.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.re2j.Pattern;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.InvalidRequest;
import io.sigma.value.Re2;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No expression that the configuration takes keeps an event loop for long, whatever the request. */
final class ExpressionBudgetTest {

    private static final String LONG = "/" + "a".repeat(8000);

    private final ExpressionBudget budget = new ExpressionBudget();

    private static Duration used(Runnable work) {
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        work.run();
        return Duration.ofNanos(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/(?s)((a*){99}){12}[bc]", "/((.*){99}){10}[bc]", "/((a?){99}){18}[bc]"})
    void expressionThatTakesSecondsIsBrokenOff(String text) {
        Pattern expression = Re2.compile(text);
        Duration time = used(() -> assertThatThrownBy(() -> budget.matches(expression, LONG))
                .isInstanceOfSatisfying(
                        InvalidRequest.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.MATCH_TOO_LONG)));
        assertThat(time).isLessThan(Duration.ofMillis(500));
    }

    @Test
    void expressionThatNeedsMoreStackThanThereIsIsBrokenOff() throws InterruptedException {
        Pattern deep = Re2.compile("/((a?){99}){18}[bc]");
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread small = new Thread(
                null, () -> thrown.set(catchThrowable(() -> budget.matches(deep, LONG))), "small", 512 << 10);
        small.start();
        small.join();
        assertThat(thrown.get())
                .isInstanceOfSatisfying(
                        InvalidRequest.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.MATCH_TOO_LONG));
    }

    @Test
    void manyExpressionsShareTheTimeOfTheirRequest() {
        Pattern expression = Re2.compile("/(([a-z]*){9}){9}[0-9]");
        Duration time = used(() -> assertThatThrownBy(() -> {
                    for (int i = 0; i < 10_000; i++) {
                        budget.matches(expression, LONG);
                    }
                })
                .isInstanceOf(InvalidRequest.class));
        assertThat(time).isLessThan(Duration.ofMillis(500));
    }

    @Test
    void whatIsUsualIsNeverBrokenOffAndTheNextRequestBeginsAgain() {
        Pattern usual = Re2.compile("/users/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{12}/(orders|bills)(/.*)?");
        for (int request = 0; request < 200; request++) {
            budget.again();
            for (int i = 0; i < 100; i++) {
                assertThat(budget.matches(usual, "/users/0123abcd-01ef-0123456789ab/orders/7"))
                        .isTrue();
                assertThat(budget.matches(usual, "/users/0123abcd-01ef-x/orders/7"))
                        .isFalse();
            }
        }
    }

    @Test
    void watchedTextIsTheTextItself() {
        Pattern expression = Re2.compile("/(.{1000}b?){2}.*(?<last>[^/]+)");
        String text = "/ü" + "x".repeat(4000) + "/end";
        CharSequence read = budget.read(1_000_000, text);
        assertThat(read).isNotInstanceOf(String.class).hasToString(text).hasSameSizeAs(text);
        var matcher = expression.matcher(read);
        assertThat(matcher.matches()).isTrue();
        assertThat(matcher.group("last")).isEqualTo("d");
    }
}
