package io.sigma.dataplane.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.identity.Pem;
import io.sigma.json.Json;
import io.sigma.json.JsonPointer;
import io.sigma.model.Kind;
import io.sigma.snapshot.ResourceType;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Whatever an application refuses, a vote refuses: with the same pointer, and whether or not something names the
 * resource. Samples of each kind are changed at every place into values that may be bad, and each is voted on and
 * applied both ways.
 */
final class VoteAndApplyTest extends VoteAndApplyContract {

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
                        "{'id':'x','proxyServerId':'web','hosts':['*.b.example'],'plugins':" + plugins2 + "}",
                        "{'id':'x','proxyServerId':'bytes','proxyPassId':'pass','match':{'sni':['a.example'],'alpn':['h2'],"
                                + "'clientAddresses':['10.0.0.0/8']}}",
                        "{'id':'x','proxyServerId':'bolt','proxyPassId':'pass','match':{'rpc':{'service':{'value':'a'},"
                                + "'headers':[{'name':'n','value':'a'},{'name':'m','prefix':'a'},{'name':'o','regex':'a.*'}]}}}",
                        "{'id':'x','proxyServerId':'thrift','proxyPassId':'pass','match':{'rpc':{'service':{'prefix':'a'},"
                                + "'method':{'regex':'a.*'}}}}",
                        "{'id':'x','proxyServerId':'thrift','proxyPassId':'pass','match':{'rpc':{'service':{'regex':'a.*'},"
                                + "'method':{'value':'a'}}}}");
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
                        "{'id':'x','host':'127.0.0.1','port':" + freePort + ",'plugins':" + plugins2 + "}",
                        "{'id':'x','host':'127.0.0.1','port':" + freePort + ",'protocol':'UDP','udp':{"
                                + "'idleTimeoutMillis':1000,'responsesMax':1,'responseTimeoutMillis':1000,"
                                + "'sessionsPerAddressMax':10,'datagramBytesMax':100}}");
            case CERTIFICATE -> List.of("{'id':'x','chain':" + chain + ",'privateKey':" + key + "}");
            case CONSUMER ->
                // Logins apart: a password is hashed in each verdict.
                List.of(
                        "{'id':'x','groups':['g'],'apiKeys':[{'name':'k','sha256':'" + "a".repeat(64)
                                + "'}],'subjects':['s']}",
                        "{'id':'x','logins':[{'username':'u','password':'p'}]}");
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
}
