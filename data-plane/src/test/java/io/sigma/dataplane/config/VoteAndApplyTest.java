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
import io.sigma.identity.Pem;
import io.sigma.json.Json;
import io.sigma.json.JsonPointer;
import io.sigma.model.Kind;
import io.sigma.model.ProxyPass;
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
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever an application refuses, a vote refuses: with the same pointer, and whether or not something names the
 * resource. Samples of each kind are changed at every place into values that may be bad, and each is voted on and
 * applied both ways.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class VoteAndApplyTest {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private static final List<String> TEXTS = List.of(
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

    private static final List<Long> NUMBERS = List.of(-1L, 0L, (long) Integer.MAX_VALUE);

    /** What no gateway reads, and what keeps a resource in its place. */
    private static final Set<String> NOT_CHANGED = Set.of("id", "name", "description", "labels");

    @TempDir
    static Path dir;

    private final TestTls tls = TestTls.create("vote");
    private final int port = Config.freePort();
    private GatewayHarness harness;
    private long revision = 1;
    private int refused;

    private final int freePort = Config.freePort();

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

    private static <T> EntityChange change(ResourceType<T> type, String id, @Nullable Object value) {
        return new EntityChange(type.kind(), id, value);
    }

    private ConfigState base() {
        Config config = Config.forwarding(port, "http://127.0.0.1:1");
        return config.state();
    }

    private SnapshotTarget target() {
        return harness.gateway().snapshotTarget();
    }

    private void serve(ConfigState state) {
        GatewayHarness.await(target().apply(Snapshot.of(++revision, state)));
    }

    /** What became of a snapshot: a refusal, or null. */
    private static @Nullable SnapshotRefused verdict(Future<Void> result) {
        try {
            GatewayHarness.await(result);
            return null;
        } catch (SnapshotRefused e) {
            return e;
        }
    }

    private @Nullable SnapshotRefused voted(ConfigState state) {
        SnapshotRefused verdict = verdict(target().prepare(Snapshot.of(++revision, state)));
        target().discard();
        return verdict;
    }

    private @Nullable SnapshotRefused applied(ConfigState state) {
        SnapshotRefused verdict = verdict(target().apply(Snapshot.of(++revision, state)));
        if (verdict == null) {
            serve(base());
        }
        return verdict;
    }

    /** Returns what names the resource {@code x} of a kind, and makes requests come to it. */
    private List<EntityChange> naming(Kind kind) {
        EntityChange pass = change(
                ResourceType.PROXY_PASS,
                "naming",
                ProxyPass.builder().id("naming").upstreamId("x").build());
        return switch (kind) {
            case UPSTREAM -> List.of(pass, route("all", "naming"));
            case PROXY_PASS -> List.of(route("all", "x"));
            case ROUTER -> List.of(route("x", "pass"));
            case PROXY_SERVER ->
                List.of(
                        change(
                                ResourceType.ROUTER,
                                "naming",
                                Router.builder().id("naming").proxyServerId("x").build()),
                        route("naming", "pass"));
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

    private static EntityChange route(String router, String pass) {
        Route route = Route.builder()
                .id("naming")
                .routerId(router)
                .path("/naming")
                .proxyPassId(pass)
                .build();
        return change(ResourceType.ROUTE, "naming", route);
    }

    private static Object json(ResourceType<?> type, String text) {
        return type.read(Json.read(text.replace('\'', '"'), JsonNode.class));
    }

    /**
     * Votes on and applies a state with and without what names the resource; returns the pointer of the refusal, or
     * null.
     */
    private @Nullable String verdict(ResourceType<?> type, Object value, String what) {
        ConfigState alone = base().with(List.of(change(type, "x", value)));
        ConfigState named = alone.with(naming(type.kind()));
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

    private static boolean isLookedUp(Object value) {
        return value instanceof Upstream upstream
                && upstream.discovery() != null
                && upstream.discovery().type().equals("DNS");
    }

    private void every(ResourceType<?> type, String sample) {
        JsonNode good = Json.read(sample.replace('\'', '"'), JsonNode.class);
        assertThat(verdict(type, type.read(good), "the sample")).as(sample).isNull();
        List<String> places = new ArrayList<>();
        leaves(good, "", places);
        for (String place : places) {
            JsonNode leaf = good.at(place);
            List<JsonNode> bad = new ArrayList<>();
            if (leaf.isTextual()) {
                TEXTS.forEach(text -> bad.add(NODES.textNode(text)));
            } else if (leaf.isNumber()) {
                NUMBERS.forEach(number -> bad.add(NODES.numberNode(number)));
            }
            for (JsonNode one : bad) {
                Object value;
                try {
                    value = type.read(with(good, place, one));
                } catch (IllegalArgumentException e) {
                    // No value of the contract's enumeration: there is no such state.
                    continue;
                }
                verdict(type, value, type.kind() + place + ": " + one);
            }
        }
    }

    private static JsonNode with(JsonNode root, String place, JsonNode value) {
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

    private static void leaves(JsonNode node, String at, List<String> places) {
        if (node.isObject()) {
            node.properties().forEach(field -> {
                if (!at.isEmpty() || !NOT_CHANGED.contains(field.getKey())) {
                    leaves(field.getValue(), at + JsonPointer.of(field.getKey()), places);
                }
            });
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                leaves(node.get(i), at + "/" + i, places);
            }
        } else {
            places.add(at);
        }
    }

    private static final String PLUGINS_1 =
            "{'accessLog':{'format':'TEMPLATE','template':'$status','fileBytesMax':4096,'filesMax':2},"
                    + "'acl':{'allowConsumers':['c'],'allowGroups':['g'],'denyConsumers':['d'],'denyGroups':['e']},"
                    + "'basicAuth':{'realm':'shop'},'brotli':{'quality':1,'minBytes':1,'types':['text/*']},"
                    + "'concurrencyLimit':{'requests':3,'key':'HEADER','header':'x-key'},"
                    + "'cors':{'allowOrigins':['https://a.example'],'allowMethods':['GET'],'allowHeaders':['x-a'],'exposeHeaders':['x-b'],"
                    + "'maxAgeSeconds':5},'csp':{'directives':[{'name':'default-src','value':'self'}]},"
                    + "'extensions':{'tag':{'value':'a'}},"
                    + "'faultInjection':{'delay':{'millis':1,'percentage':1},'abort':{'status':500,'percentage':1}},"
                    + "'gzip':{'level':1,'minBytes':1,'types':['text/*']},"
                    + "'headers':{'request':{'remove':['x-r'],'rename':{'x-o':'x-n'},'set':{'x-s':'1'},'add':{'x-a':'1'}},"
                    + "'response':{'remove':['x-r'],'set':{'x-s':'1'}}}}";

    private static final String PLUGINS_2 = "{'hsts':{'maxAgeSeconds':5},'httpsRedirect':{'status':301,'port':443},"
            + "'ipAccess':{'allow':['10.0.0.0/8'],'deny':['10.1.0.0/16']},"
            + "'jwt':{'issuer':'i','audiences':['a'],'leewaySeconds':1,'consumerClaim':'sub','jwksUrl':'http://keys.example/k',"
            + "'jwksRefreshSeconds':60},"
            + "'keyAuth':{'header':'x-key','query':'key','cookie':'key'},"
            + "'mockResponse':{'status':200,'headers':{'x-m':'1'},'body':'b'},"
            + "'rateLimit':{'requests':3,'periodSeconds':1,'burst':3,'key':'HEADER','header':'x-key','keysMax':16},"
            + "'requestId':{'header':'x-id'},'responseTime':{'header':'x-time'},"
            + "'rewritePath':{'regexp':'/a(?<rest>.*)','replacement':'/${rest}'},"
            + "'staticResources':{'rootPath':'@','urlPattern':'/files/*'},"
            + "'tracing':{'endpoint':'http://traces.example/v1','serviceName':'s','samplesPerMillion':1},"
            + "'zstd':{'level':1,'minBytes':1,'types':['text/*']}}";

    private static String file() {
        return dir.resolve("files").toString();
    }

    private List<String> samples(ResourceType<?> type) throws Exception {
        Path folder = Files.createDirectories(dir.resolve("files"));
        String chain = Json.text(Pem.of(tls.certificate()));
        String key = Json.text(Pem.of(tls.keys().getPrivate()));
        Path certificate = Files.writeString(folder.resolve("cert.pem"), Pem.of(tls.certificate()));
        Path secret = Files.writeString(folder.resolve("secret"), "s".repeat(64));
        String plugins2 = PLUGINS_2.replace("@", file());
        String nodes = "'nodes':[{'url':'https://127.0.0.1:1','weight':1,'metadata':{'zone':'a'}}]";
        return switch (type.kind()) {
            case UPSTREAM ->
                List.of(
                        "{'id':'x'," + nodes
                                + ",'balancing':'HASH','hash':{'source':'HEADER','name':'x-k','loadPercentMax':125},"
                                + "'slowStartMillis':1,'panicThresholdPercent':1,'healthCheck':{'path':'/','method':'GET','host':'h',"
                                + "'headers':{'x-h':'1'},'expectedStatuses':['2xx'],'bodyContains':'b','port':1,'intervalMillis':1000,"
                                + "'jitterPercent':1,'timeoutMillis':100,'rise':1,'fall':1},'outlierDetection':{'consecutiveFailures':1,"
                                + "'failurePercent':1,'latencyFactor':2,'windowMillis':100,'requestsMin':1,'ejectionMillis':100,"
                                + "'ejectionMillisMax':200,'ejectedPercentMax':1},'limits':{'requestsMax':1,'retriesMax':1,'retryPercentMax':1,"
                                + "'retriesPerSecondMin':1,'circuitBreaker':{'failurePercent':1,'requestsMin':1,'windowMillis':100,"
                                + "'openMillis':100,'probeRequests':1}},'pool':{'connectionsMax':2,'idleMin':1},"
                                + "'tls':{'caPath':'" + certificate + "','serverName':'a.example'}}",
                        "{'id':'x'," + nodes + ",'healthCheck':{'type':'GRPC','grpcService':'s'},'tls':{'ca':" + chain
                                + "}}",
                        "{'id':'x','discovery':{'type':'DNS','url':'http://a.invalid:80','name':'b.invalid','servers':['127.0.0.1:1'],"
                                + "'refreshMillisMin':100,'refreshMillisMax':200,'timeoutMillis':10}}",
                        "{'id':'x','discovery':{'type':'FIXED','settings':{'node':'http://127.0.0.1:1'}}}");
            case PROXY_PASS ->
                List.of(
                        "{'id':'x','upstreamId':'nodes','mirror':{'upstreamId':'nodes','percent':1,'bodyBytesMax':1,'timeoutMillis':1},"
                                + "'buffering':{'requestBytes':1,'responseBytes':1},'stripPrefix':'/a','addPrefix':'/b','host':'h',"
                                + "'requestBodyBytesMax':1,'requestHeaders':{'remove':['x-r'],'rename':{'x-o':'x-n'},'set':{'x-s':'1'},"
                                + "'add':{'x-a':'1'}},'responseHeaders':{'set':{'x-s':'1'}},'timeouts':{'connectMillis':1,'responseMillis':1,"
                                + "'idleMillis':1,'totalMillis':1},'retry':{'attemptsMax':1,'statuses':[503],'methods':['GET'],"
                                + "'perTryMillis':1,'backoffMillis':1,'backoffMaxMillis':1},'subset':{'metadata':{'zone':'a'},"
                                + "'fallback':'DEFAULT','fallbackMetadata':{'zone':'b'}},'plugins':" + PLUGINS_1 + "}",
                        "{'id':'x','split':{'targets':[{'upstreamId':'nodes','weight':1}],'sticky':{'source':'COOKIE','name':'n',"
                                + "'maxAgeSeconds':1}},'plugins':" + plugins2 + "}",
                        "{'id':'x','redirect':{'status':302,'location':'https://a.example/'},'plugins':{'jwt':{'secretPath':'"
                                + secret + "'},'hsts':{'maxAgeSeconds':5}}}",
                        "{'id':'x','fixedResponse':{'status':200,'contentType':'text/plain','body':'b'},'plugins':{'jwt':{'secret':'"
                                + "s".repeat(32) + "'}}}",
                        "{'id':'x','staticFiles':{'rootPath':'" + file()
                                + "','index':'index.html','fallback':'a.html','cacheControl':'no-store'}}");
            case ROUTER ->
                List.of(
                        "{'id':'x','proxyServerId':'web','hosts':['a.example'],'plugins':" + PLUGINS_1 + "}",
                        "{'id':'x','proxyServerId':'web','hosts':['*.b.example'],'plugins':" + plugins2 + "}");
            case ROUTE ->
                List.of(
                        "{'id':'x','routerId':'all','proxyPassId':'pass','path':'/a/{id}','methods':['GET'],"
                                + "'headers':[{'name':'x-h','value':'1'},{'name':'x-r','regex':'a.*'}],"
                                + "'queryParameters':[{'name':'q','value':'1'}],'cookies':[{'name':'c','value':'1'}],"
                                + "'clientAddresses':['10.0.0.0/8'],'consumes':['text/plain'],'produces':['text/plain'],'priority':1,"
                                + "'plugins':" + PLUGINS_1 + "}",
                        "{'id':'x','routerId':'all','proxyPassId':'pass','path':'~/b.*','plugins':" + plugins2 + "}");
            case PROXY_SERVER ->
                List.of(
                        "{'id':'x','host':'127.0.0.1','port':" + freePort + ",'trustedProxies':['10.0.0.0/8'],"
                                + "'http2':{'streamsMax':10},'plugins':" + PLUGINS_1 + "}",
                        "{'id':'x','host':'127.0.0.1','port':" + freePort + ",'plugins':" + plugins2 + "}");
            case CERTIFICATE -> List.of("{'id':'x','chain':" + chain + ",'privateKey':" + key + "}");
            case CONSUMER ->
                List.of("{'id':'x','groups':['g'],'apiKeys':[{'name':'k','sha256':'" + "a".repeat(64)
                        + "'}],'logins':[{'username':'u','password':'p'}],'subjects':['s']}");
        };
    }

    @Test
    void eachBadValueOfAnUpstreamIsRefusedByVoteAndApplicationAlike() throws Exception {
        everyOf(ResourceType.UPSTREAM);
    }

    @Test
    void eachBadValueOfAProxyPassIsRefusedByVoteAndApplicationAlike() throws Exception {
        everyOf(ResourceType.PROXY_PASS);
    }

    @Test
    void eachBadValueOfARouterIsRefusedByVoteAndApplicationAlike() throws Exception {
        everyOf(ResourceType.ROUTER);
    }

    @Test
    void eachBadValueOfARouteIsRefusedByVoteAndApplicationAlike() throws Exception {
        everyOf(ResourceType.ROUTE);
    }

    @Test
    void eachBadValueOfAProxyServerIsRefusedByVoteAndApplicationAlike() throws Exception {
        everyOf(ResourceType.PROXY_SERVER);
    }

    @Test
    void eachBadValueOfACertificateOrConsumerIsRefusedByVoteAndApplicationAlike() throws Exception {
        everyOf(ResourceType.CERTIFICATE);
        everyOf(ResourceType.CONSUMER);
    }

    private void everyOf(ResourceType<?> type) throws Exception {
        int before = refused;
        for (String sample : samples(type)) {
            every(type, sample);
        }
        // Of a consumer the schema of the contract says all that can be wrong.
        assertThat(refused - before).as("refusals").isGreaterThan(type.kind() == Kind.CONSUMER ? -1 : 5);
    }

    /** A field that is new in the contract needs a sample here, so that its bad values are tried. */
    @Test
    void everyTextOfEveryKindIsInASample() throws Exception {
        Set<String> missing = new TreeSet<>();
        for (ResourceType<?> type : ResourceType.ALL) {
            Set<String> sampled = new HashSet<>();
            for (String sample : samples(type)) {
                List<String> places = new ArrayList<>();
                leaves(Json.read(sample.replace('\'', '"'), JsonNode.class), "", places);
                places.forEach(place -> sampled.addAll(Arrays.asList(place.split("/"))));
            }
            for (RecordComponent component : type.model().getRecordComponents()) {
                texts(component, sampled, type.field(), missing);
            }
        }
        // Of a server's TLS, of files of a log and of keys that are fetched bad values are tried below by themselves.
        missing.removeIf(
                path -> path.matches(
                        "proxyServers/tls/.*|.*/accessLog/path|.*/plugins/jwt/(secret|secretPath|jwks)|upstreams/tls/certificateId|consumers/(apiKeys/key|logins/passwordHash)"));
        assertThat(missing).isEmpty();
    }

    private static void texts(RecordComponent component, Set<String> sampled, String at, Set<String> missing) {
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

    private static Class<?> elementOf(Type type) {
        if (type instanceof ParameterizedType parameterized) {
            Type[] arguments = parameterized.getActualTypeArguments();
            return elementOf(arguments[arguments.length - 1]);
        }
        return (Class<?>) type;
    }

    private @Nullable String pointerOf(ResourceType<?> type, String sample) {
        return verdict(type, json(type, sample), sample);
    }

    @Test
    void aDiscoveryThatIsNotThereIsRefusedAlthoughNothingNamesTheUpstream() {
        assertThat(pointerOf(
                        ResourceType.UPSTREAM, "{'id':'x','discovery':{'type':'CONSUL','url':'http://consul:8500'}}"))
                .isEqualTo("/upstreams/x/discovery/type");
        assertThat(pointerOf(ResourceType.UPSTREAM, "{'id':'x','discovery':{'type':'FIXED'}}"))
                .isEqualTo("/upstreams/x/discovery");
    }

    @Test
    void filesThatCannotBeReadAreRefusedAlthoughNothingNamesTheResource() {
        assertThat(pointerOf(
                        ResourceType.UPSTREAM,
                        "{'id':'x','nodes':[{'url':'https://127.0.0.1:1'}],'tls':{'caPath':'/no/such/file'}}"))
                .isEqualTo("/upstreams/x/tls/caPath");
        assertThat(pointerOf(
                        ResourceType.PROXY_PASS,
                        "{'id':'x','upstreamId':'nodes','plugins':{'jwt':{'secretPath':'/no/such/file'}}}"))
                .isEqualTo("/proxyPasses/x/plugins/jwt");
        assertThat(pointerOf(
                        ResourceType.ROUTER,
                        "{'id':'x','proxyServerId':'web','plugins':{'jwt':{'secretPath':'/no/such/file'}}}"))
                .isEqualTo("/routers/x/plugins/jwt");
        assertThat(pointerOf(
                        ResourceType.PROXY_SERVER,
                        "{'id':'x','port':" + freePort
                                + ",'protocol':'HTTPS','tls':{'certPath':'/no/such/file','keyPath':'/no/such/file'}}"))
                .isEqualTo("/proxyServers/x/tls/certPath");
    }

    @Test
    void aPluginThatIsOverriddenEverywhereIsRefusedWhereItIsConfigured() {
        ConfigState state = base().with(List.of(
                change(
                        ResourceType.ROUTER,
                        "x",
                        json(
                                ResourceType.ROUTER,
                                "{'id':'x','proxyServerId':'web','plugins':{'extensions':{'tag':{'value':1}}}}")),
                change(
                        ResourceType.ROUTE,
                        "naming",
                        json(
                                ResourceType.ROUTE,
                                "{'id':'naming','routerId':'x','path':'/','proxyPassId':'pass',"
                                        + "'plugins':{'extensions':{'tag':{'value':'a'}}}}"))));
        SnapshotRefused voted = Objects.requireNonNull(voted(state));
        SnapshotRefused applied = Objects.requireNonNull(applied(state));
        assertThat(voted.pointer()).isEqualTo("/routers/x/plugins/extensions/tag/value");
        assertThat(applied.pointer()).isEqualTo(voted.pointer());
        assertThat(applied.detail()).isEqualTo(voted.detail());
    }

    @Test
    void addressesThatCannotBeListenedOnAreRefusedByVoteAndApplicationAlike() throws Exception {
        String server = "{'id':'x','host':'%s','port':%d}";
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(pointerOf(ResourceType.PROXY_SERVER, server.formatted("127.0.0.1", taken.getLocalPort())))
                    .isEqualTo("/proxyServers/x/port");
        }
        // Not an address of this machine; and the port that another proxy server has open says nothing of it.
        for (int any : List.of(freePort, port)) {
            assertThat(pointerOf(ResourceType.PROXY_SERVER, server.formatted("192.0.2.7", any)))
                    .isEqualTo("/proxyServers/x/port");
        }
        // The same address in other words.
        assertThat(pointerOf(ResourceType.PROXY_SERVER, server.formatted("localhost", port)))
                .isEqualTo("/proxyServers/x/port");
    }

    @Test
    void authoritiesThatNoContextCanBeMadeOfAreRefusedByVoteAndApplicationAlike() throws Exception {
        String chain = Pem.of(tls.certificate());
        String other = chain.replace("CERTIFICATE", "TRUSTED CERTIFICATE");
        for (String authorities : List.of("", "a", other)) {
            ConfigState state = base().with(List.of(
                    change(
                            ResourceType.CERTIFICATE,
                            "c",
                            json(
                                    ResourceType.CERTIFICATE,
                                    "{'id':'c','chain':" + Json.text(chain) + ",'privateKey':"
                                            + Json.text(Pem.of(tls.keys().getPrivate())) + "}")),
                    change(
                            ResourceType.PROXY_SERVER,
                            "x",
                            json(
                                    ResourceType.PROXY_SERVER,
                                    "{'id':'x','host':'127.0.0.1','port':" + freePort
                                            + ",'protocol':'HTTPS','tls':{'certificates':['c'],'clientAuth':'REQUIRED','clientCa':"
                                            + Json.text(authorities) + "}}"))));
            SnapshotRefused voted = voted(state);
            SnapshotRefused applied = applied(state);
            assertThat(voted == null ? null : voted.pointer()).isEqualTo(applied == null ? null : applied.pointer());
            assertThat(voted).isNotNull();
        }
    }

    @Test
    void codeThatFailsWhenItEndsKeepsNothingFromBeingServed() {
        String plugins = "'plugins':{'extensions':{'failing':{'how':'close'}}}}";
        assertThat(pointerOf(ResourceType.PROXY_PASS, "{'id':'x','upstreamId':'nodes'," + plugins))
                .isNull();
        assertThat(pointerOf(
                        ResourceType.ROUTE, "{'id':'x','routerId':'all','path':'/x','proxyPassId':'pass'," + plugins))
                .isNull();
        serve(base());
    }

    @Test
    void codeThatFailsIsARefusalWithThePlaceWhateverItThrows() {
        for (String how : List.of("exception", "linkage", "stack", "error")) {
            String plugins = "'plugins':{'extensions':{'failing':{'how':'" + how + "'}}}}";
            assertThat(pointerOf(ResourceType.PROXY_PASS, "{'id':'x','upstreamId':'nodes'," + plugins))
                    .as(how)
                    .startsWith("/proxyPasses/x");
            assertThat(pointerOf(
                            ResourceType.ROUTE,
                            "{'id':'x','routerId':'all','path':'/x','proxyPassId':'pass'," + plugins))
                    .as(how)
                    .startsWith("/routes/x");
        }
        // What comes afterwards is taken.
        serve(base());
    }

    @Test
    void whatWasServedIsServedAgainAfterARestartAlthoughSomethingUnusedBroke(@TempDir Path own) throws Exception {
        Path authority = Files.writeString(
                Files.createDirectories(own.resolve("data/files")).resolve("ca.pem"), Pem.of(tls.certificate()));
        int listening = Config.freePort();
        Config config = Config.forwarding(listening, "http://127.0.0.1:1");
        ConfigState state = config.state()
                .with(List.of(change(
                        ResourceType.UPSTREAM,
                        "x",
                        json(
                                ResourceType.UPSTREAM,
                                "{'id':'x','nodes':[{'url':'https://127.0.0.1:1'}],'tls':{'caPath':'" + authority
                                        + "'}}"))));
        try (GatewayHarness first = GatewayHarness.start(own.resolve("data"))) {
            GatewayHarness.await(first.gateway().snapshotTarget().apply(Snapshot.of(1, state)));
        }
        Files.delete(authority);
        try (GatewayHarness second = GatewayHarness.start(own.resolve("data"))) {
            assertThat(second.gateway().snapshotTarget().current().revision()).isEqualTo(1);
        }
    }
}
