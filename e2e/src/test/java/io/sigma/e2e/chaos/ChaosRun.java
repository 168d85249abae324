package io.sigma.e2e.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code make chaos}: every attack at length, each on a gateway that was just started, and on the other proxies that
 * this machine has. Prints a table; fails when the gateway does not hold what it must.
 */
class ChaosRun {

    private static final long QUIET_MILLIS = 5_000;
    private static final long WARM_UP_MILLIS = 5_000;
    private static final long MEMORY_MILLIS = 60_000;

    @TempDir
    Path folder;

    private final List<String> broken = new ArrayList<>();

    @Test
    void everyAttackIsStood() throws Exception {
        long millis = 1_000 * Long.getLong("sigma.chaosSeconds", 10);
        List<Attack> attacks = Attacks.named(System.getProperty("sigma.chaosAttacks", ""));
        String transport = System.getProperty("sigma.chaosTransport", "auto");
        List<Peer> peers = Peer.installed();
        System.out.println("peers: " + (peers.isEmpty() ? "none; install nginx or haproxy to compare with" : peers));
        System.out.print(Result.header());
        try (ChaosNode node = ChaosNode.start();
                Attackers attackers = Attackers.start()) {
            for (Attack attack : attacks) {
                onTheGateway(attack, millis, transport, attackers, node);
                for (Peer peer : peers) {
                    if (!attack.gatewayOnly()) {
                        onAPeer(attack, millis, peer, attackers, node);
                    }
                }
            }
        }
        Assertions.assertThat(broken).isEmpty();
    }

    private void onTheGateway(Attack attack, long millis, String transport, Attackers attackers, ChaosNode node)
            throws IOException {
        Path home = Files.createDirectories(folder.resolve(attack.name()));
        try (ChaosGateway gateway = ChaosGateway.start(home, node.port(), attackers.badPort(), transport);
                Trial trial = new Trial(gateway.target(), gateway.pid(), gateway::isAlive, gateway::logBytes)) {
            Thread.sleep(WARM_UP_MILLIS);
            Result result = trial.run(
                    attack.name(),
                    (target, time) -> attackers.run(List.of(attack), Integer.MAX_VALUE, target, time),
                    QUIET_MILLIS,
                    millis,
                    MEMORY_MILLIS);
            System.out.print(result.line());
            if (!result.verdict().isEmpty()) {
                broken.add(attack.name() + ": " + result.verdict());
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private void onAPeer(Attack attack, long millis, Peer peer, Attackers attackers, ChaosNode node)
            throws IOException {
        Path home = Files.createDirectories(folder.resolve(attack.name() + "-" + peer));
        try (Peer.Running running = peer.start(home, node.port(), attackers.badPort());
                Trial trial = new Trial(running.target(), running.pid(), running::isAlive, running::logBytes)) {
            System.out.print(trial.run(
                            attack.name(),
                            (target, time) -> attackers.run(List.of(attack), Integer.MAX_VALUE, target, time),
                            QUIET_MILLIS,
                            millis,
                            0)
                    .line());
        }
    }
}
