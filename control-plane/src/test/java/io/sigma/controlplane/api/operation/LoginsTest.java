package io.sigma.controlplane.api.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.TestControlPlane;
import io.sigma.controlplane.testing.TestSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Wrong credentials of some keep nobody else out. Addresses are those that a proxy names. */
final class LoginsTest {

    private static final String PASSWORD = "a few right words";

    @RegisterExtension
    final TestControlPlane running =
            new TestControlPlane("adminTrustedProxies", "127.0.0.0/8", "adminPassword", PASSWORD);

    private final AdminClient client = running.client();

    private int logIn(String name, String password, String address) {
        return tried(name, password, address).status();
    }

    private Reply tried(String name, String password, String address) {
        return client.post(
                "/session",
                "{\"name\":\"" + name + "\",\"password\":\"" + password + "\"}",
                "Authorization",
                "none",
                "X-Forwarded-For",
                address);
    }

    private int get(String token, String address) {
        return client.get("/routes", "Authorization", "Bearer " + token, "X-Forwarded-For", address)
                .status();
    }

    @Test
    void wrongPasswordsFromElsewhereDoNotLockAUserOut() {
        for (int i = 0; i < 25; i++) {
            logIn("admin", "wrong wrong wrong", "203.0.113." + (1 + i % 2));
        }
        assertThat(logIn("admin", PASSWORD, "203.0.113.1"))
                .as("where they come from")
                .isEqualTo(429);
        assertThat(logIn("admin", PASSWORD, "203.0.113.3")).as("from elsewhere").isEqualTo(200);
        assertThat(logIn("admin", PASSWORD, "2001:db8::1")).isEqualTo(200);
    }

    @Test
    void anIpv6ClientDoesNotTryFromEachOfItsAddresses() {
        int status = 0;
        for (int i = 1; i < 60 && status != 429; i++) {
            status = logIn("admin", "wrong wrong wrong", "2001:db8:0:1::" + i);
        }
        assertThat(status).isEqualTo(429);
        assertThat(logIn("admin", PASSWORD, "2001:db8:0:2::1"))
                .as("the next network")
                .isEqualTo(200);
    }

    @Test
    void aGoodTokenIsTakenWhateverItsAddressHasShown() {
        String token = client.post("/tokens", "{\"name\":\"good\",\"role\":\"VIEWER\"}")
                .json()
                .path("token")
                .asText();
        String shaped = "sigma_" + "x".repeat(43);
        int status = 0;
        for (int i = 0; i < 100 && status != 429; i++) {
            status = get(i % 2 == 0 ? "wrong" : shaped, "203.0.113.7");
        }
        assertThat(status).isEqualTo(429);
        assertThat(get(token, "203.0.113.7")).isEqualTo(200);
        assertThat(get(TestSettings.TOKEN, "203.0.113.7")).isEqualTo(200);
        assertThat(logIn("admin", PASSWORD, "203.0.113.7"))
                .as("wrong tokens are no wrong passwords")
                .isEqualTo(200);
        client.delete("/tokens/good");
        assertThat(get(token, "203.0.113.7")).as("revoked").isEqualTo(429);
    }

    /** Whoever is refused for now tries again at once, but leaves the other threads of this process some time. */
    private static void pause() {
        LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
    }

    @Test
    void aFloodFromEverNewAddressesKeepsNobodyOutWhoWasThereBefore() throws Exception {
        assertThat(logIn("admin", PASSWORD, "203.0.113.1")).isEqualTo(200);
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger next = new AtomicInteger();
        List<Thread> flood = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            flood.add(Thread.ofVirtual().start(() -> {
                while (!over.get()) {
                    int number = next.incrementAndGet();
                    if (logIn("admin", "wrong wrong wrong", "10.9." + number / 250 + "." + number % 250) == 503) {
                        pause();
                    }
                }
            }));
        }
        List<Integer> known = new ArrayList<>();
        List<Integer> unknown = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            Thread.sleep(50);
            known.add(logIn("admin", PASSWORD, "203.0.113.1"));
            unknown.add(logIn("admin", PASSWORD, "203.0.113.2"));
        }
        over.set(true);
        for (Thread thread : flood) {
            thread.join();
        }
        assertThat(known).containsOnly(200);
        assertThat(unknown).as("a right password is no wrong one").doesNotContain(429);
        assertThat(logIn("admin", PASSWORD, "203.0.113.2")).isEqualTo(200);
    }

    @Test
    void aFloodOfLoginsFromManyAddressesDoesNotKeepRightOnesOut() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> flood = new ArrayList<>();
        for (int i = 0; i < 80; i++) {
            String address = "198.51.100." + (i + 1);
            for (int parallel = 0; parallel < 3; parallel++) {
                flood.add(Thread.ofVirtual().start(() -> {
                    while (!over.get()) {
                        if (logIn("admin", "wrong wrong wrong", address) == 429) {
                            pause();
                        }
                    }
                }));
            }
        }
        List<Reply> right = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Thread.sleep(150);
            right.add(tried("admin", PASSWORD, "203.0.113." + (i + 1)));
        }
        over.set(true);
        for (Thread thread : flood) {
            thread.join();
        }
        assertThat(right)
                .allSatisfy(reply -> assertThat(reply.status()).as("%s", reply).isEqualTo(200));
    }
}
