package io.sigma.dataplane.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.json.Json;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** Sets one field after the other and takes it back, while clients send requests over connections that stay open. */
final class FieldToggles implements AutoCloseable {

    /** Of one field. */
    private static final int VALUES_MAX = Integer.getInteger("sigma.fieldValues", 1);

    private static final long PATIENCE_MILLIS = 20_000;

    /** They say where and how a proxy server listens. */
    private static final Set<String> SOCKET = Set.of(
            "PROXY_SERVER/id",
            "PROXY_SERVER/enabled",
            "PROXY_SERVER/protocol",
            "PROXY_SERVER/host",
            "PROXY_SERVER/port");

    /** Sends one request after the other. */
    abstract static class Client {

        /** What a response has that the node sent. */
        static final int OK = 200;

        final String name;
        private final AtomicInteger answered = new AtomicInteger();
        private volatile int status;

        Client(String name) {
            this.name = name;
        }

        abstract void open() throws Exception;

        /** Returns the status of a response; fails when the connection ends. */
        abstract int ask() throws IOException;

        abstract void end() throws IOException;

        /** Tries whether somebody who comes now is served. */
        void come() throws Exception {}
    }

    private final GatewayHarness gateway;
    private final List<Client> clients;
    private final List<Thread> threads;
    private final FieldValues contract = new FieldValues();
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private final Set<String> known = new TreeSet<>();
    private final Set<String> refused = new TreeSet<>();
    private volatile String now = "";
    private volatile boolean over;
    private int tried;
    private int fields;

    private FieldToggles(GatewayHarness gateway, List<Client> clients) {
        this.gateway = gateway;
        this.clients = List.copyOf(clients);
        this.threads = this.clients.stream()
                .map(client -> new Thread(() -> run(client)))
                .toList();
    }

    /** Starts the clients, which all get a response. */
    static FieldToggles start(GatewayHarness gateway, List<Client> clients) throws InterruptedException {
        FieldToggles toggles = new FieldToggles(gateway, clients);
        toggles.threads.forEach(Thread::start);
        toggles.turn();
        assertThat(clients).extracting(client -> client.status).containsOnly(Client.OK);
        return toggles;
    }

    private void failed(String what) {
        System.out.println("FAILED " + what);
        failures.add(what);
    }

    private void run(Client client) {
        try {
            client.open();
            while (!over) {
                try {
                    client.status = client.ask();
                    client.answered.incrementAndGet();
                    // Else the clients would have the machine, and no change would get through.
                    Thread.sleep(2);
                } catch (IOException | RuntimeException e) {
                    if (!over) {
                        failed(client.name + " at " + now + ": " + e);
                        client.end();
                        client.open();
                    }
                }
            }
            client.end();
        } catch (Exception e) {
            failed(client.name + " at " + now + " ended: " + e);
        }
    }

    /** Sets each field of a resource of {@code base}, and takes it back. */
    <T> void toggle(Config base, ResourceType<T> type, String id) throws InterruptedException {
        toggle(base, type, id, field -> true);
    }

    /** As {@link #toggle(Config, ResourceType, String)}, the fields whose pointers are {@code wanted}. */
    <T> void toggle(Config base, ResourceType<T> type, String id, Predicate<String> wanted)
            throws InterruptedException {
        String schema = type.model().getSimpleName();
        JsonNode before = Json.tree(base.get(type, id));
        for (FieldValues.Field field : contract.of(schema)) {
            fields++;
            String name = type.kind() + field.pointer();
            if (SOCKET.contains(name) || field.pointer().equals("/id") || !wanted.test(field.pointer())) {
                continue;
            }
            boolean taken = false;
            int values = 0;
            for (JsonNode value : field.values()) {
                if (values == VALUES_MAX) {
                    break;
                }
                Config changed;
                try {
                    changed = base.copy().put(type, type.read(contract.with(schema, before, field.pointer(), value)));
                } catch (RuntimeException e) {
                    continue;
                }
                now = name + " of " + id + " = " + value;
                if (gateway.tryApply(changed)) {
                    taken = true;
                    values++;
                    tried++;
                    settle(base);
                }
            }
            (taken ? known : refused).add(name);
        }
    }

    /** Waits until each client has had a response to a request that began after this was called. */
    private void turn() throws InterruptedException {
        long until = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
        int[] from = clients.stream().mapToInt(client -> client.answered.get()).toArray();
        for (int i = 0; i < from.length; i++) {
            Client client = clients.get(i);
            while (client.answered.get() < from[i] + 2 && System.nanoTime() < until) {
                Thread.sleep(1);
            }
            if (client.answered.get() < from[i] + 2) {
                failed(client.name + " at " + now + ": no response in time");
            }
        }
    }

    /** The change has been met by each client; then it is taken back, and each is served as before. */
    private void settle(Config base) throws InterruptedException {
        turn();
        gateway.apply(base);
        turn();
        for (Client client : clients) {
            if (client.status != Client.OK) {
                failed(client.name + " after " + now + ": " + client.status);
            }
            try {
                client.come();
            } catch (Exception e) {
                failed(client.name + " that comes after " + now + ": " + e);
            }
        }
    }

    /** Returns the fields that took a value, as kind and pointer. */
    Set<String> known() {
        return known;
    }

    /** Returns the fields that took no value in any resource. */
    Set<String> refused() {
        Set<String> left = new TreeSet<>(refused);
        left.removeAll(known);
        return left;
    }

    /** Returns how much was tried. */
    String count() {
        return tried + " values of " + fields + " fields";
    }

    /** Ends the clients, and returns what failed. */
    List<String> failures() throws InterruptedException {
        close();
        for (Thread thread : threads) {
            thread.join(PATIENCE_MILLIS);
        }
        return List.copyOf(failures);
    }

    @Override
    public void close() {
        over = true;
    }
}
