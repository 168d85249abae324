package io.sigma.dataplane.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.dataplane.snapshot.SnapshotTarget;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.json.Json;
import io.sigma.model.Kind;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyPass;
import io.sigma.model.ProxyServer;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The base of tests of votes and applications: a gateway that votes on a change and applies it, both ways. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class VoteAndApplyContract {

    static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    static final List<String> TEXTS = List.of(
            "",
            "\0",
            "[",
            "(a",
            "a b\r\n",
            "${",
            "{name",
            "999.1.1.1/99",
            "http://[",
            "ftp://a",
            "/no/such/file",
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
            "NOSUCH",
            "%zz");

    static final List<Long> NUMBERS = List.of(-1L, 0L, (long) Integer.MAX_VALUE);

    /** What no gateway reads, and what keeps a resource in its place. */
    static final Set<String> NOT_CHANGED = Set.of("id", "name", "description", "labels");

    @TempDir
    static Path dir;

    final TestTls tls = TestTls.create("vote");
    final int port = Config.freePort();
    GatewayHarness harness;
    long revision = 1;
    int refused;
    final int freePort = Config.freePort();
    final int streamPort = Config.freePort();
    final int boltPort = Config.freePort();
    final int thriftPort = Config.freePort();

    @BeforeAll
    void start() {
        // Open, although it is not there: what is not open is voted against, and served without it by an application.
        harness = GatewayHarness.start(
                TestSettings.of(dir).folders(Path.of("/no")).build());
        serve(base());
    }

    @AfterAll
    void stop() {
        harness.close();
    }

    static <T> EntityChange change(ResourceType<T> type, String id, @Nullable Object value) {
        return new EntityChange(type.kind(), id, value);
    }

    ConfigState base() {
        Config config = Config.forwarding(port, "http://127.0.0.1:1")
                .server(ProxyServer.builder()
                        .id("bytes")
                        .host("127.0.0.1")
                        .port(streamPort)
                        .protocol(Protocol.TLS)
                        .build())
                .server(ProxyServer.builder()
                        .id("bolt")
                        .host("127.0.0.1")
                        .port(boltPort)
                        .protocol(Protocol.BOLT)
                        .build())
                .server(ProxyServer.builder()
                        .id("thrift")
                        .host("127.0.0.1")
                        .port(thriftPort)
                        .protocol(Protocol.THRIFT)
                        .build());
        return config.state();
    }

    SnapshotTarget target() {
        return harness.gateway().snapshotTarget();
    }

    void serve(ConfigState state) {
        GatewayHarness.await(target().apply(Snapshot.of(++revision, state)));
    }

    /** Returns the refusal of a snapshot, or null. */
    static @Nullable SnapshotRefused verdict(Future<Void> result) {
        try {
            GatewayHarness.await(result);
            return null;
        } catch (SnapshotRefused e) {
            return e;
        }
    }

    @Nullable
    SnapshotRefused voted(ConfigState state) {
        SnapshotRefused verdict = verdict(target().prepare(Snapshot.of(++revision, state)));
        target().discard();
        return verdict;
    }

    @Nullable
    SnapshotRefused applied(ConfigState state) {
        SnapshotRefused verdict = verdict(target().apply(Snapshot.of(++revision, state)));
        if (verdict == null) {
            serve(base());
        }
        return verdict;
    }

    /** Returns what names the resource {@code x} of a kind, and makes requests or connections come to it. */
    List<EntityChange> naming(Kind kind, Object value) {
        EntityChange pass = change(
                ResourceType.PROXY_PASS,
                "naming",
                ProxyPass.builder().id("naming").upstreamId("x").build());
        return switch (kind) {
            case UPSTREAM -> List.of(pass, route("all", "naming"));
            case PROXY_PASS -> List.of(route("all", "x"));
            case ROUTER -> ((Router) value).proxyServerId().equals("web") ? List.of(route("x", "pass")) : List.of();
            case PROXY_SERVER -> {
                boolean datagrams = ((ProxyServer) value).protocol() == Protocol.UDP;
                EntityChange router = change(
                        ResourceType.ROUTER,
                        "naming",
                        Router.builder()
                                .id("naming")
                                .proxyServerId("x")
                                .proxyPassId(datagrams ? "pass" : null)
                                .build());
                yield datagrams ? List.of(router) : List.of(router, route("naming", "pass"));
            }
            case CERTIFICATE ->
                List.of(change(
                        ResourceType.PROXY_SERVER,
                        "naming",
                        json(
                                ResourceType.PROXY_SERVER,
                                "{'id':'naming','host':'127.0.0.1','port':" + freePort
                                        + ",'protocol':'HTTPS','tls':{'certificates':['x']}}")));
            case ROUTE, CONSUMER -> List.of();
        };
    }

    static EntityChange route(String router, String pass) {
        Route route = Route.builder()
                .id("naming")
                .routerId(router)
                .path("/naming")
                .proxyPassId(pass)
                .build();
        return change(ResourceType.ROUTE, "naming", route);
    }

    static Object json(ResourceType<?> type, String text) {
        return type.read(Json.read(text.replace('\'', '"'), JsonNode.class));
    }

    /**
     * Votes on and applies a state with and without what names the resource; returns the pointer of the refusal, or
     * null.
     */
    @Nullable
    String verdict(ResourceType<?> type, Object value, String what) {
        ConfigState alone = base().with(List.of(change(type, "x", value)));
        ConfigState named = alone.with(naming(type.kind(), value));
        SnapshotRefused first = voted(alone);
        String pointer = first == null ? null : first.pointer();
        List<@Nullable SnapshotRefused> others = new ArrayList<>(Arrays.asList(applied(alone), voted(named)));
        // What is accepted and has to be looked up in the DNS first is waited for, for seconds.
        if (first != null || !isLookedUp(value)) {
            others.add(applied(named));
        }
        for (SnapshotRefused other : others) {
            assertThat(other == null ? null : other.pointer())
                    .as("%s: voted %s, then %s", what, first, other)
                    .isEqualTo(pointer);
        }
        if (first != null) {
            refused++;
            assertThat(pointer).as(what + ": " + first.detail()).startsWith("/" + type.field() + "/");
        }
        return pointer;
    }

    static boolean isLookedUp(Object value) {
        return value instanceof Upstream upstream
                && upstream.discovery() != null
                && upstream.discovery().type().equals("DNS");
    }

    static JsonNode with(JsonNode root, String place, JsonNode value) {
        JsonNode copy = root.deepCopy();
        int slash = place.lastIndexOf('/');
        JsonNode parent = copy.at(place.substring(0, slash));
        String last = place.substring(slash + 1).replace("~1", "/").replace("~0", "~");
        if (parent instanceof ArrayNode array) {
            array.set(Integer.parseInt(last), value);
        } else {
            ((ObjectNode) parent).set(last, value);
        }
        return copy;
    }

    static void texts(RecordComponent component, Set<String> sampled, String at, Set<String> missing) {
        String name = component.getName();
        if (NOT_CHANGED.contains(name)) {
            return;
        }
        Class<?> type = elementOf(component.getGenericType());
        if (type == String.class && !sampled.contains(name)) {
            missing.add(at + "/" + name);
        } else if (type.isRecord()) {
            for (RecordComponent inner : type.getRecordComponents()) {
                texts(inner, sampled, at + "/" + name, missing);
            }
        }
    }

    static Class<?> elementOf(Type type) {
        if (type instanceof ParameterizedType parameterized) {
            Type[] arguments = parameterized.getActualTypeArguments();
            return elementOf(arguments[arguments.length - 1]);
        }
        return (Class<?>) type;
    }
}
