package io.sigma.e2e.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every attack for a moment, one after the other on the same gateway. Only facts that do not depend on the speed of the
 * machine are held; {@link ChaosRun} measures the rest. {@code -Dsigma.chaosTransport=epoll} tries another transport
 * than that which a gateway takes by itself on this machine.
 */
class ChaosTest {

    private static final long QUIET_MILLIS = 100;
    private static final int CONNECTIONS_MAX = 300;

    /** A heap of 128 MB, as much direct memory, and what a JVM has besides. */
    private static final long MEMORY_KIB_MAX = 640 * 1024;

    @TempDir
    static Path folder;

    private static ChaosNode node;
    private static Attackers attackers;
    private static @Nullable ChaosGateway gateway;
    private static @Nullable Trial trial;

    @BeforeAll
    static void start() throws Exception {
        node = ChaosNode.start();
        attackers = Attackers.start();
    }

    /** Returns the trial of the gateway; of a new one when an attack ended or broke the last. */
    private static Trial trial() throws Exception {
        Trial running = trial;
        if (running == null || !running.isAlive()) {
            ChaosGateway started = ChaosGateway.start(
                    Files.createTempDirectory(folder, "gateway"),
                    node.port(),
                    attackers.badPort(),
                    System.getProperty("sigma.chaosTransport", "auto"));
            gateway = started;
            running = new Trial(started.target(), started.pid(), started::isAlive, started::logBytes);
            trial = running;
        }
        return running;
    }

    private static void stopGateway() {
        if (trial != null) {
            trial.close();
            trial = null;
        }
        if (gateway != null) {
            gateway.close();
            gateway = null;
        }
    }

    @AfterAll
    static void stop() throws Exception {
        stopGateway();
        attackers.close();
        node.close();
    }

    /** Returns the attacks by groups of about the same time, because each by itself would take minutes. */
    static Stream<String> groups() {
        return Attacks.named(System.getProperty("sigma.chaosAttacks", "")).stream()
                .collect(Collectors.partitioningBy(attack -> attack.briefMillis() > 1_000))
                .values()
                .stream()
                .flatMap(ChaosTest::split);
    }

    private static Stream<String> split(List<Attack> attacks) {
        // What holds connections is tried alone: together they are more than any address may have.
        int size = attacks.isEmpty() || attacks.getFirst().briefMillis() > 1_000
                ? 1
                : Integer.getInteger("sigma.chaosGroup", 6);
        return IntStream.range(0, (attacks.size() + size - 1) / size)
                .mapToObj(i -> attacks.subList(i * size, Math.min(attacks.size(), (i + 1) * size)).stream()
                        .map(Attack::name)
                        .collect(Collectors.joining(" ")));
    }

    @ParameterizedTest
    @MethodSource("groups")
    void othersDoNotNotice(String names) throws Exception {
        Result first = attack(names);
        // A machine that is busy with something else may keep others waiting, too; it does not do so twice.
        Result result = first.failures() > 0 ? attack(names) : first;
        assertThat(result.alive()).as("the process lives").isTrue();
        assertThat(result.attacked().errors()).isEmpty();
        assertThat(result.after().errors()).isEmpty();
        assertThat(result.logKib()).isLessThan(Result.LOG_KIB_MAX);
        assertThat(result.peakKib()).isLessThan(MEMORY_KIB_MAX);
    }

    private static Result attack(String names) throws Exception {
        List<Attack> attacks = Attacks.named(names);
        Result result = trial().run(
                        names,
                        (target, millis) -> attackers.run(attacks, CONNECTIONS_MAX, target, millis),
                        QUIET_MILLIS,
                        attacks.getFirst().briefMillis(),
                        0);
        System.out.print(result.line());
        if (result.failures() > 0) {
            stopGateway();
        }
        return result;
    }
}
