package io.sigma.controlplane.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.json.Json;
import io.sigma.snapshot.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Fields that fit the contract one by one but contradict each other are refused, and told where. */
final class ContradictionTest {

    private static final String EC_X = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU";
    private static final String EC_Y = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0";

    @RegisterExtension
    static final TestAdmission admission = new TestAdmission();

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
                "{'nodes':[{'url':'http://10.0.0.1'}],'proxyProtocol':'V2','pool':{'idleMin':1}}",
                "/pool/idleMin");
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
        assertThat(admission.refused(type, body)).as("%s", row).isEqualTo(row.subList(2, row.size()));
    }
}
