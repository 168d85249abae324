package io.sigma.controlplane.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.controlplane.api.Contract;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.testing.ContractWalk;
import io.sigma.controlplane.testing.ContractWalk.Place;
import io.sigma.controlplane.testing.TestCertificate;
import io.sigma.json.Json;
import io.sigma.json.JsonPointer;
import io.sigma.model.FieldError;
import io.sigma.snapshot.ResourceType;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What fits the contract and yet means nothing to a gateway is refused, and told where. */
final class MeaningTest {

    private static final Vertx VERTX = Vertx.vertx();
    private static final TestCertificate CERTIFICATE = TestCertificate.create("shop.example.com");
    private static final String DAMAGED = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    private static final String CR_LF = "a\r\nX-Injected: 1";
    private static final String EC_X = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU";
    private static final String EC_Y = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0";

    private static Admission admission;

    /**
     * A text that is parsed later.
     *
     * @param body of the resource, with {@code @} where the text stands
     */
    record Parsed(ResourceType<?> type, String body, String good, List<String> bad) {

        JsonNode with(String text) {
            JsonNode copy = Json.read(body.replace('\'', '"'), JsonNode.class);
            replace(copy, text);
            return copy;
        }

        private static void replace(JsonNode node, String text) {
            if (node instanceof ObjectNode object) {
                object.properties().forEach(field -> {
                    if (field.getValue().asText().equals("@")) {
                        field.setValue(JsonNodeFactory.instance.textNode(text));
                    }
                    replace(field.getValue(), text);
                });
                if (object.has("@")) {
                    object.set(text, Objects.requireNonNull(object.remove("@")));
                }
            }
            if (node instanceof ArrayNode array) {
                for (int i = 0; i < array.size(); i++) {
                    if (array.get(i).asText().equals("@")) {
                        array.set(i, JsonNodeFactory.instance.textNode(text));
                    }
                    replace(array.get(i), text);
                }
            }
        }

        String pointer(String text) {
            return Objects.requireNonNull(find(Json.read(body.replace('\'', '"'), JsonNode.class), "", text), body);
        }

        private static @Nullable String find(JsonNode node, String at, String text) {
            if (node.asText().equals("@")) {
                return at;
            }
            if (node.has("@")) {
                return at + JsonPointer.of(text);
            }
            for (var field : node.properties()) {
                String below = find(field.getValue(), at + JsonPointer.of(field.getKey()), text);
                if (below != null) {
                    return below;
                }
            }
            for (int i = 0; node.isArray() && i < node.size(); i++) {
                String below = find(node.get(i), at + "/" + i, text);
                if (below != null) {
                    return below;
                }
            }
            return null;
        }

        @Override
        public String toString() {
            return type + " " + body;
        }
    }

    private static Parsed row(ResourceType<?> type, String body, String good, String... bad) {
        return new Parsed(type, body, good, List.of(bad));
    }

    private static Parsed plugin(String plugins, String good, String... bad) {
        return row(ResourceType.ROUTER, "{'proxyServerId':'web','plugins':{" + plugins + "}}", good, bad);
    }

    private static Parsed pass(String fields, String good, String... bad) {
        return row(ResourceType.PROXY_PASS, "{'upstreamId':'u'," + fields + "}", good, bad);
    }

    private static Parsed route(String fields, String good, String... bad) {
        return row(ResourceType.ROUTE, "{'routerId':'r','proxyPassId':'p','path':'/'," + fields + "}", good, bad);
    }

    private static Parsed upstream(String fields, String good, String... bad) {
        return row(ResourceType.UPSTREAM, "{'nodes':[{'url':'http://10.0.0.1'}]," + fields + "}", good, bad);
    }

    private static Parsed discovery(String fields, String good, String... bad) {
        return row(ResourceType.UPSTREAM, "{'discovery':{'type':'DNS'," + fields + "}}", good, bad);
    }

    private static final String[] NO_FIELD = {"Connection", "Content-Length", "transfer-encoding", "Host", "a b", "ü"};
    private static final String[] NO_VALUE = {CR_LF, "a\u0000", "a\u007f", "日本"};
    private static final String[] NO_RANGE = {
        "10.0.0.0/33", "10.0.0/8", "shop", "10.0.0.1/", "::/129", "1.2.3.4/-1", "256.0.0.1", "::1%lo", "10.0.0.1 "
    };
    private static final String[] NO_REGEX = {
        "(", "[a", "a**", "(?=a)", "\\1", "a{2,1}", "(a{1000}){1000}", "(((a{30}){30}){30}){30}"
    };
    private static final String[] NO_MEDIA = {"json", "a/", "/b", "*/json", "a/b/c", "a b/c", CR_LF};
    private static final String[] NO_METHOD = {"get", "GTE", "POTS"};

    static Stream<Parsed> parsed() {
        String tls = "{'port':1,'protocol':'HTTPS','tls':{'certificates':['a'],";
        return Stream.of(
                row(
                        ResourceType.PROXY_SERVER,
                        "{'port':1,'host':'@'}",
                        "::1",
                        "a b",
                        "[::1]",
                        "1.2.3",
                        "1.2.3.256",
                        "a:1",
                        "-.",
                        "a..b",
                        "ü",
                        CR_LF),
                row(ResourceType.PROXY_SERVER, "{'port':1,'trustedProxies':['@']}", "10.0.0.0/8", NO_RANGE),
                row(ResourceType.PROXY_SERVER, tls + "'clientCa':'@'}}", CERTIFICATE.chain(), "a", DAMAGED),
                row(
                        ResourceType.PROXY_SERVER,
                        tls + "'clientSubjectHeader':'@'}}",
                        "X-Subject",
                        "Host",
                        "Content-Length",
                        "keep-alive",
                        "a\n"),
                row(ResourceType.PROXY_SERVER, tls + "'defaultCertificateId':'@'}}", "a", "b"),
                row(ResourceType.CERTIFICATE, "{'privateKey':'x','chain':'@'}", "", "a", DAMAGED),
                row(
                        ResourceType.CERTIFICATE,
                        "{'chain':" + Json.text(CERTIFICATE.chain()) + ",'privateKey':'@'}",
                        CERTIFICATE.key(),
                        "a",
                        TestCertificate.create("b").key(),
                        CERTIFICATE.key().substring(0, 80)),
                row(
                        ResourceType.ROUTER,
                        "{'proxyServerId':'web','hosts':['shop','@']}",
                        "*.shop",
                        "SHOP",
                        "shop.",
                        "*",
                        "a*b",
                        "*.*.a",
                        "a:80",
                        "a/b",
                        "*.[::1]",
                        "[::g]",
                        CR_LF),
                row(
                        ResourceType.ROUTE,
                        "{'routerId':'r','proxyPassId':'p','path':'@'}",
                        "/a/:b/*",
                        "a",
                        "/a b",
                        "/%zz",
                        "/%00",
                        "/a/../b",
                        "/*/a",
                        "/:a/:a",
                        "/:",
                        "/:a-b",
                        "/\\",
                        "/ü",
                        "~(",
                        "~(a{1000}){1000}",
                        "/a\n"),
                route("'methods':['@']", "PURGE", NO_METHOD),
                route("'headers':[{'name':'@','value':'a'}]", "X-A", "Host", "Connection", "a b", "X_A", "ü", "a\r\n"),
                route("'headers':[{'name':'X-A','regex':'@'}]", "a+", NO_REGEX),
                route("'cookies':[{'name':'@','value':'a'}]", "a", "a b", "a;b", "a=b", "ü", CR_LF),
                route("'clientAddresses':['@']", "::1", NO_RANGE),
                route("'consumes':['@']", "text/*", NO_MEDIA),
                route("'produces':['@']", "*/*", NO_MEDIA),
                pass("'stripPrefix':'@'", "/api", "api", "/api/", "/a b", "/../a", "/%zz", "/a//b", "/ü", "/a\n"),
                pass("'addPrefix':'@'", "/v2", "v2", "/v2/", "/a b", "/..", "/%zz", "/ü", CR_LF),
                pass(
                        "'host':'@'",
                        "shop:8080",
                        "a b",
                        "shop:",
                        "shop:0",
                        "shop:65536",
                        "shop:a",
                        "[::1",
                        "1.2.3.256",
                        "a/b",
                        "ü",
                        CR_LF),
                pass("'requestHeaders':{'remove':['@']}", "X-A", "Host", "Content-Length", "Upgrade"),
                pass("'requestHeaders':{'rename':{'X-A':'@'}}", "X-B", "a b", "ü"),
                pass("'requestHeaders':{'set':{'@':'a'}}", "X-A", NO_FIELD),
                pass("'requestHeaders':{'set':{'X-A':'@'}}", "a\tb", NO_VALUE),
                pass("'responseHeaders':{'add':{'X-A':'@'}}", "é", NO_VALUE),
                pass("'retry':{'methods':['@']}", "POST", NO_METHOD),
                row(
                        ResourceType.PROXY_PASS,
                        "{'fixedResponse':{'contentType':'@'}}",
                        "text/html; charset=utf-8",
                        "html",
                        "text/*",
                        "a/b\r\nX: 1",
                        "a/b; c=日"),
                row(
                        ResourceType.PROXY_PASS,
                        "{'redirect':{'location':'@'}}",
                        "https://$host$path",
                        "/a b",
                        "$nope",
                        "$",
                        "/ü",
                        "/a\r\nX: 1"),
                row(
                        ResourceType.PROXY_PASS,
                        "{'split':{'targets':[{'upstreamId':'a','weight':1},{'upstreamId':'@','weight':1}]}}",
                        "b",
                        "a"),
                row(
                        ResourceType.PROXY_PASS,
                        "{'split':{'targets':[{'upstreamId':'a','weight':1}],'sticky':{'source':'COOKIE','name':'@'}}}",
                        "b",
                        "a b",
                        "a;",
                        "a="),
                row(
                        ResourceType.UPSTREAM,
                        "{'nodes':[{'url':'@'}]}",
                        "http://[::1]:80/a",
                        "ftp://a.example",
                        "http://",
                        "https:///a",
                        "http://a:0",
                        "http://a:65536",
                        "http://a:b",
                        "http://u:p@a",
                        "http://a?b=c",
                        "http://a#b",
                        "http://a b",
                        "http://[::g]",
                        "http://1.2.3.256",
                        "http://a_b",
                        "http://ü",
                        "http://a/%zz",
                        "http://a/\n"),
                upstream("'balancing':'HASH','hash':{'source':'HEADER','name':'@'}", "X-A", "a b", "ü", CR_LF),
                upstream("'tls':{'ca':'@'}", CERTIFICATE.chain(), "a", DAMAGED),
                upstream(
                        "'tls':{'serverName':'@'}",
                        "shop.example.com",
                        "a b",
                        "[::1]",
                        "::1",
                        "a_b",
                        "-a",
                        "1.2.3.256",
                        "a:443",
                        CR_LF),
                upstream("'healthCheck':{'path':'@'}", "/a?b=c", "a", "/a b", "/a#b", "/ü", "/a\r\nX: 1"),
                upstream("'healthCheck':{'method':'@'}", "HEAD", "a b", "CONNECT", "GET\r\n", "ü"),
                upstream("'healthCheck':{'host':'@'}", "shop:80", "a b", "a/b", "a:0", "ü", CR_LF),
                upstream("'healthCheck':{'headers':{'@':'a'}}", "X-A", NO_FIELD),
                upstream("'healthCheck':{'headers':{'X-A':'@'}}", "a", NO_VALUE),
                upstream("'healthCheck':{'expectedStatuses':['@']}", "2xx", "600", "099", "xx2", "20x", "abc", "2XX"),
                discovery(
                        "'url':'@'",
                        "http://shop:80",
                        "http://10.0.0.1",
                        "http://[::1]",
                        "ftp://shop1",
                        "http://a b",
                        "shop:8080",
                        "http://shop:0"),
                discovery("'url':'http://shop','name':'@'", "_http._tcp.shop", ".a", "a.", "a b", "ü"),
                discovery(
                        "'url':'http://shop','servers':['@']",
                        "[::1]:53",
                        "shop",
                        "10.0.0.1:0",
                        "10.0.0.1:65536",
                        "10.0.0.1:a",
                        "1.2.3",
                        "[::1",
                        CR_LF),
                row(
                        ResourceType.UPSTREAM,
                        "{'discovery':{'type':'@','url':'http://a.example'}}",
                        "CONSUL",
                        "consul",
                        "A-B",
                        "A\n",
                        "A B"),
                row(
                        ResourceType.CONSUMER,
                        "{'logins':[{'username':'a','passwordHash':'@'}]}",
                        "pbkdf2-sha512$1000$AAAAAAAAAAA=$AAAAAAAAAAA=",
                        "a",
                        "pbkdf2-sha512$999$AAAAAAAAAAA=$AAAAAAAAAAA=",
                        "pbkdf2-sha512$1000001$AAAAAAAAAAA=$AAAAAAAAAAA=",
                        "pbkdf2-sha512$1000$A$AAAAAAAAAAA=",
                        "md5$1000$AAAAAAAAAAA=$AAAAAAAAAAA="),
                plugin("'accessLog':{'format':'TEMPLATE','template':'@'}", "$status", "$nope", "$", "a\nb", "ü"),
                plugin("'accessLog':{'path':'@'}", "/var/log/a.log", "/a\u0000"),
                plugin("'brotli':{'types':['@']}", "text/*", NO_MEDIA),
                plugin("'gzip':{'types':['@']}", "text/*", NO_MEDIA),
                plugin("'zstd':{'types':['@']}", "text/*", NO_MEDIA),
                plugin(
                        "'cors':{'allowOrigins':['@']}",
                        "https://a.example:8443",
                        "a.example",
                        "https://a.example/",
                        "https://a?b",
                        "https://u@a.example",
                        "https://a b",
                        "https://",
                        "null\r\n"),
                plugin("'cors':{'allowMethods':['@']}", "PUT", NO_METHOD),
                plugin(
                        "'csp':{'directives':[{'name':'a','value':'@'}]}",
                        "'self' https://a.example".replace("'", ""),
                        "日本",
                        "a\r\nb",
                        "a;b"),
                plugin("'extensions':{'@':{}}", "a-b", "a b", "ü", "a\n"),
                plugin("'headers':{'request':{'remove':['@']}}", "X-A", "Host", "Connection", "TE"),
                plugin("'headers':{'response':{'rename':{'@':'X-B'}}}", "X-A", NO_FIELD),
                plugin("'headers':{'response':{'set':{'X-A':'@'}}}", "a", NO_VALUE),
                plugin("'ipAccess':{'allow':['@']}", "10.0.0.0/8", NO_RANGE),
                plugin("'ipAccess':{'deny':['@']}", "::/0", NO_RANGE),
                plugin(
                        "'jwt':{'jwksUrl':'@'}",
                        "https://a.example/keys",
                        "https://",
                        "http://[",
                        "http://a:65536/",
                        "http://a:0/",
                        "http://u@a/",
                        "http://a#b",
                        "http://a_b/",
                        "http://a/%zz"),
                plugin("'jwt':{'algorithms':['HS512'],'secret':'@'}", "a".repeat(64), "a".repeat(63)),
                row(ResourceType.PROXY_PASS, "{'staticFiles':{'rootPath':'@'}}", "/srv", "srv", "/a\n"),
                row(
                        ResourceType.PROXY_PASS,
                        "{'staticFiles':{'rootPath':'/srv','index':'@'}}",
                        "a.html",
                        "a/b",
                        "..",
                        "a\n"),
                row(
                        ResourceType.PROXY_PASS,
                        "{'staticFiles':{'rootPath':'/srv','fallback':'@'}}",
                        "a/b.html",
                        "/a",
                        "../a",
                        "a b",
                        "ü"),
                row(
                        ResourceType.PROXY_PASS,
                        "{'staticFiles':{'rootPath':'/srv','cacheControl':'@'}}",
                        "no-store",
                        " ",
                        CR_LF,
                        "日本"),
                plugin("'keyAuth':{'header':'@'}", "X-A", "Host", "Connection", "Transfer-Encoding"),
                plugin("'mockResponse':{'headers':{'@':'a'}}", "X-A", NO_FIELD),
                plugin("'mockResponse':{'headers':{'X-A':'@'}}", "a", NO_VALUE),
                plugin("'requestId':{'header':'@'}", "X-A", "Host", "Content-Length"),
                plugin("'responseTime':{'header':'@'}", "X-A", "Host", "Connection"),
                plugin("'rewritePath':{'regexp':'@','replacement':'/'}", "/a/(.*)", NO_REGEX),
                plugin("'rewritePath':{'regexp':'/(.*)','replacement':'@'}", "/$1", "$2", "${a}", "$", "a\r\nb", "ü"),
                plugin(
                        "'staticResources':{'rootPath':'/srv','urlPattern':'@'}",
                        "/static/*",
                        "static",
                        "/:a",
                        "~/a",
                        "/*/a",
                        "/%zz",
                        "/a b"),
                plugin(
                        "'tracing':{'endpoint':'@'}",
                        "http://a:4318/v1/traces",
                        "http://",
                        "http://a:65536/",
                        "http://u:p@a/",
                        "http://a/%zz",
                        "http://["));
    }

    /** Texts that nobody parses, but for what the contract says of them already, and why. */
    private static final Set<String> FREE = Set.of(
            // Shown to people.
            "ConsumerKey.name",
            // Compared as they are with what requests, tokens or nodes have.
            "RouteCondition.name",
            "RouteCondition.value",
            "HealthCheck.bodyContains",
            "Node.metadata{}",
            "NodeSubset.metadata{}",
            "NodeSubset.fallbackMetadata{}",
            "JwtPlugin.issuer",
            "JwtPlugin.audiences[]",
            "JwtPlugin.consumerClaim",
            "Consumer.subjects[]",
            "Consumer.groups[]",
            "AclPlugin.allowConsumers[]",
            "AclPlugin.allowGroups[]",
            "AclPlugin.denyConsumers[]",
            "AclPlugin.denyGroups[]",
            "KeyAuthPlugin.query",
            "KeyAuthPlugin.cookie",
            "ConsumerLogin.username",
            // Sent in a body.
            "FixedResponse.body",
            "MockResponsePlugin.body",
            "HealthCheck.grpcService",
            "TracingPlugin.serviceName",
            // The pattern of the contract says it all.
            "BasicAuthPlugin.realm",
            "CspDirective.name",
            "CorsPlugin.allowHeaders[]",
            "CorsPlugin.exposeHeaders[]",
            "RateLimitPlugin.header",
            "ConcurrencyLimitPlugin.header",
            "ConsumerKey.key",
            "ConsumerKey.sha256",
            "ConsumerLogin.password",
            // References, which the database knows.
            "ServerTls.certificates[]",
            "Router.proxyServerId",
            "Route.routerId",
            "Route.proxyPassId",
            "ProxyPass.upstreamId",
            "Mirror.upstreamId",
            "ClientTls.certificateId",
            // On the disk of each gateway, or in modules that it has.
            "ServerTls.certPath",
            "ServerTls.keyPath",
            "ClientTls.caPath",
            "JwtPlugin.secretPath",
            "StaticResourcesPlugin.rootPath",
            "NodeDiscovery.settings{}");

    /** So are these of each kind. */
    private static final Set<String> FREE_OF_EACH = Set.of("id", "name", "description", "labels{}");

    @BeforeAll
    static void load() throws Exception {
        Contract contract = Contract.load(VERTX).await(30, TimeUnit.SECONDS);
        admission = new Admission(contract, new UpstreamGuard(List.of(), Set::of));
    }

    @AfterAll
    static void close() throws Exception {
        VERTX.close().await(30, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @MethodSource("parsed")
    void textThatCannotBeParsedIsRefusedWithItsPointer(Parsed row) {
        if (!row.good().isEmpty()) {
            assertThat(refused(row.type(), row.with(row.good()))).as(row.good()).isEmpty();
        }
        for (String bad : row.bad()) {
            assertThat(refused(row.type(), row.with(bad)))
                    .as("%s in %s", bad, row)
                    .containsOnly(row.pointer(bad));
        }
    }

    @Test
    void everyTextIsEitherFreeOrHasBadValues() {
        Set<String> names = new TreeSet<>();
        Set<String> all = new TreeSet<>();
        for (Place place : ContractWalk.load().places()) {
            if (place.schema().path("type").asText().equals("string")
                    && !place.schema().has("enum")) {
                all.add(place.name());
                names.add(place.name());
            }
        }
        parsed().forEach(row -> names.remove(nameOf(row)));
        ResourceType.ALL.forEach(
                type -> FREE_OF_EACH.forEach(field -> names.remove(type.model().getSimpleName() + "." + field)));
        names.removeAll(FREE);
        assertThat(names).isEmpty();
        assertThat(all).containsAll(FREE);
    }

    private static String nameOf(Parsed row) {
        String pointer = row.pointer("X-A").replaceAll("/[0-9]+", "/0");
        return ContractWalk.load().nameAt(row.type(), pointer);
    }

    private static List<String> refused(ResourceType<?> type, JsonNode body) {
        try {
            admission.admit(type, body, null);
            return List.of();
        } catch (FailureException e) {
            assertThat(e.failure()).isInstanceOf(Failure.Invalid.class);
            return ((Failure.Invalid) e.failure())
                    .errors().stream().map(FieldError::pointer).toList();
        }
    }

    /** Fields that contradict each other: the body, and where it is told. */
    static Stream<List<String>> contradictions() {
        List<List<String>> rows = new ArrayList<>();
        contradiction(rows, "proxy-servers", "{'port':1,'protocol':'HTTPS'}", "/tls");
        contradiction(rows, "proxy-servers", "{'port':1,'tls':{}}", "/tls");
        contradiction(rows, "proxy-servers", "{'port':1,'protocol':'HTTPS','tls':{'certPath':'/a'}}", "/tls/keyPath");
        contradiction(
                rows,
                "proxy-servers",
                "{'port':1,'protocol':'HTTPS','tls':{'clientAuth':'REQUIRED'}}",
                "/tls/clientCa");
        contradiction(rows, "proxy-servers", "{'port':1,'proxyProtocol':'REQUIRED'}", "/trustedProxies");
        contradiction(rows, "proxy-servers", "{'port':1,'http2':{'enabled':false,'only':true}}", "/http2/only");
        contradiction(
                rows, "routes", "{'routerId':'r','proxyPassId':'p','path':'/','headers':[{'name':'a'}]}", "/headers/0");
        contradiction(
                rows,
                "routes",
                "{'routerId':'r','proxyPassId':'p','path':'/','headers':[{'name':'a','value':'1','regex':'1'}]}",
                "/headers/0");
        contradiction(
                rows,
                "routes",
                "{'routerId':'r','proxyPassId':'p','path':'/','cookies':[{'name':'a','value':'1'},{'name':'a','value':'2'}]}",
                "/cookies/1/name");
        contradiction(rows, "proxy-passes", "{}", "/upstreamId");
        contradiction(rows, "proxy-passes", "{'upstreamId':'u','fixedResponse':{}}", "/fixedResponse");
        contradiction(rows, "proxy-passes", "{'redirect':{'location':'/','status':304}}", "/redirect/status");
        contradiction(rows, "proxy-passes", "{'split':{'targets':[{'upstreamId':'u','weight':0}]}}", "/split/targets");
        contradiction(rows, "proxy-passes", "{'fixedResponse':{},'subset':{'metadata':{'a':'b'}}}", "/subset");
        contradiction(
                rows,
                "proxy-passes",
                "{'upstreamId':'u','subset':{'metadata':{'a':'b'},'fallback':'DEFAULT'}}",
                "/subset/fallbackMetadata");
        contradiction(rows, "proxy-passes", "{'upstreamId':'u','retry':{'perTryMillis':60001}}", "/retry/perTryMillis");
        contradiction(
                rows, "proxy-passes", "{'upstreamId':'u','retry':{'backoffMillis':1001}}", "/retry/backoffMillis");
        contradiction(rows, "upstreams", "{}", "/nodes");
        contradiction(rows, "upstreams", "{'nodes':[{'url':'http://10.0.0.1','weight':0}]}", "/nodes");
        contradiction(rows, "upstreams", "{'nodes':[{'url':'http://10.0.0.1'}],'hash':{}}", "/hash");
        contradiction(
                rows,
                "upstreams",
                "{'nodes':[{'url':'http://10.0.0.1'}],'balancing':'HASH','hash':{'source':'COOKIE'}}",
                "/hash/name");
        contradiction(
                rows,
                "upstreams",
                "{'nodes':[{'url':'http://10.0.0.1'}],'balancing':'HASH','hash':{'loadPercentMax':100}}",
                "/hash/loadPercentMax");
        contradiction(
                rows,
                "upstreams",
                "{'nodes':[{'url':'http://10.0.0.1'}],'outlierDetection':{'ejectionMillis':2000,'ejectionMillisMax':1000}}",
                "/outlierDetection/ejectionMillisMax");
        contradiction(
                rows,
                "upstreams",
                "{'nodes':[{'url':'http://10.0.0.1'}],'outlierDetection':{'latencyFactor':1}}",
                "/outlierDetection/latencyFactor");
        contradiction(
                rows,
                "upstreams",
                "{'nodes':[{'url':'http://10.0.0.1'}],'healthCheck':{'type':'TCP','path':'/a'}}",
                "/healthCheck/path");
        contradiction(
                rows,
                "upstreams",
                "{'nodes':[{'url':'http://10.0.0.1'}],'healthCheck':{'grpcService':'a'}}",
                "/healthCheck/grpcService");
        contradiction(rows, "upstreams", "{'discovery':{'type':'DNS'}}", "/discovery/url");
        contradiction(
                rows,
                "upstreams",
                "{'discovery':{'type':'DNS','url':'http://shop','refreshMillisMin':2000,'refreshMillisMax':1000}}",
                "/discovery/refreshMillisMax");
        contradiction(
                rows,
                "upstreams",
                "{'discovery':{'type':'DNS','url':'http://shop','settings':{'a':'b'}}}",
                "/discovery/settings");
        contradiction(
                rows,
                "upstreams",
                "{'discovery':{'type':'CONSUL','url':'http://shop','records':'SRV'}}",
                "/discovery/records");
        contradiction(rows, "consumers", "{'apiKeys':[{}]}", "/apiKeys/0/key");
        contradiction(rows, "consumers", "{'logins':[{'username':'a'}]}", "/logins/0/password");
        plugins(rows, "'accessLog':{'format':'TEMPLATE'}", "/accessLog/template");
        plugins(rows, "'accessLog':{'template':'$status'}", "/accessLog/template");
        plugins(rows, "'acl':{}", "/acl/allowConsumers");
        plugins(rows, "'cors':{'allowCredentials':true}", "/cors/allowCredentials");
        plugins(rows, "'faultInjection':{}", "/faultInjection/delay");
        plugins(rows, "'httpsRedirect':{'status':303}", "/httpsRedirect/status");
        plugins(rows, "'ipAccess':{}", "/ipAccess/allow");
        plugins(rows, "'mockResponse':{'status':204,'body':'a'}", "/mockResponse/body");
        plugins(rows, "'rateLimit':{'requests':1,'key':'HEADER'}", "/rateLimit/header");
        plugins(rows, "'rateLimit':{'requests':1,'header':'X-A'}", "/rateLimit/header");
        plugins(rows, "'rateLimit':{'requests':1,'periodSeconds':86400,'burst':1000}", "/rateLimit/burst");
        plugins(rows, "'concurrencyLimit':{'requests':1,'key':'HEADER'}", "/concurrencyLimit/header");
        plugins(rows, "'extensions':{'a':{'enabled':1}}", "/extensions/a/enabled");
        plugins(rows, "'extensions':{'a':{'b':[0.5]}}", "/extensions/a/b/0");
        plugins(rows, "'extensions':{'a':{'b':'" + "a".repeat(65_536) + "'}}", "/extensions/a");
        plugins(rows, "'jwt':{}", "/jwt/jwksUrl");
        plugins(rows, "'jwt':{'jwksUrl':'https://a.example/','algorithms':['HS256']}", "/jwt/algorithms/0");
        plugins(rows, "'jwt':{'jwks':{}}", "/jwt/jwks/keys");
        plugins(rows, "'jwt':{'jwks':{'keys':[]}}", "/jwt/jwks/keys");
        plugins(rows, "'jwt':{'jwks':{'keys':['a']}}", "/jwt/jwks/keys/0/kty");
        plugins(rows, key("'kty':'oct','k':'AAAA'"), "/jwt/jwks/keys/0/kty", "/jwt/jwks/keys/0/k");
        plugins(rows, key("'kty':'RSA','n':'AQAB','e':'AQAB'"), "/jwt/jwks/keys/0/n");
        plugins(rows, key("'kty':'RSA','n':'" + "_".repeat(342) + "'"), "/jwt/jwks/keys/0/e");
        plugins(rows, key("'kty':'RSA','n':'**','e':'AQAB'"), "/jwt/jwks/keys/0/n");
        plugins(rows, key("'kty':'EC','crv':'P-1','x':'AA','y':'AA'"), "/jwt/jwks/keys/0/crv");
        plugins(rows, key("'kty':'EC','crv':'P-256','x':'" + EC_Y + "','y':'" + EC_X + "'"), "/jwt/jwks/keys/0/x");
        plugins(
                rows,
                key("'kty':'EC','crv':'P-256','kid':1,'x':'" + EC_X + "','y':'" + EC_Y + "'"),
                "/jwt/jwks/keys/0/kid");
        plugins(
                rows,
                key("'kty':'EC','crv':'P-256','use':'a','x':'" + EC_X + "','y':'" + EC_Y + "'"),
                "/jwt/jwks/keys/0/use");
        plugins(rows, key("'kty':'EC','crv':'P-256','x':'" + EC_X + "','y':'" + EC_Y + "'"));
        return rows.stream();
    }

    private static String key(String members) {
        return "'jwt':{'jwks':{'keys':[{" + members + "}]}}";
    }

    private static void plugins(List<List<String>> rows, String plugins, String... pointers) {
        String[] below =
                Stream.of(pointers).map(pointer -> "/plugins" + pointer).toArray(String[]::new);
        contradiction(rows, "routers", "{'proxyServerId':'web','plugins':{" + plugins + "}}", below);
    }

    private static void contradiction(List<List<String>> rows, String kind, String body, String... pointers) {
        List<String> row = new ArrayList<>(List.of(kind, body));
        row.addAll(List.of(pointers));
        rows.add(row);
    }

    @ParameterizedTest
    @MethodSource("contradictions")
    void fieldsThatContradictEachOtherAreRefusedWithAPointer(List<String> row) {
        ResourceType<?> type = ResourceType.ALL.stream()
                .filter(any -> any.path().equals(row.getFirst()))
                .findFirst()
                .orElseThrow();
        JsonNode body = Json.read(row.get(1).replace('\'', '"'), JsonNode.class);
        assertThat(refused(type, body)).as("%s", row).isEqualTo(row.subList(2, row.size()));
    }
}
