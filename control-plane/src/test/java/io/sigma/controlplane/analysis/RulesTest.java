package io.sigma.controlplane.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.testing.TestCertificate;
import io.sigma.model.Finding;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each rule, where it applies and where it does not. */
final class RulesTest {

    private static final String WHOLE = "{'proxyServers':[{'id':'web','port':80}],"
            + "'routers':[{'id':'r','proxyServerId':'web'}],'routes':[{'id':'x','routerId':'r','path':'/','proxyPassId':'p'}],"
            + "'proxyPasses':[{'id':'p','upstreamId':'u'}],'upstreams':[{'id':'u','nodes':[{'url':'http://a:1'}]}]}";

    private static String pass(String rest) {
        return WHOLE.replace("{'id':'p','upstreamId':'u'}", "{'id':'p'," + rest + "}");
    }

    private static String upstream(String rest) {
        return WHOLE.replace("{'id':'u','nodes':[{'url':'http://a:1'}]}", "{'id':'u'," + rest + "}");
    }

    @Test
    void nothingIsOddAboutAPlainConfiguration() {
        assertThat(Configs.analyse(Configs.state(WHOLE))).isEmpty();
    }

    @Test
    void aRouterNeedsRoutes() {
        assertThat(Configs.found(Rule.ROUTER_WITHOUT_ROUTES, WHOLE.replace("'path'", "'enabled':false,'path'")))
                .containsExactly("r ");
        assertThat(Configs.found(Rule.ROUTER_WITHOUT_ROUTES, WHOLE)).isEmpty();
    }

    @Test
    void aDisabledRouterWithEnabledRoutesIsTold() {
        assertThat(Configs.found(Rule.ROUTER_DISABLED, WHOLE.replace("{'id':'r',", "{'id':'r','enabled':false,")))
                .containsExactly("r /enabled");
        assertThat(Configs.found(Rule.ROUTER_DISABLED, WHOLE)).isEmpty();
    }

    @Test
    void aProxyServerNeedsRouters() {
        assertThat(Configs.found(Rule.PROXY_SERVER_WITHOUT_ROUTERS, "{'proxyServers':[{'id':'web','port':80}]}"))
                .containsExactly("web ");
        assertThat(Configs.found(Rule.PROXY_SERVER_WITHOUT_ROUTERS, WHOLE)).isEmpty();
    }

    @Test
    void aDisabledProxyServerWithEnabledRoutersIsTold() {
        assertThat(Configs.found(Rule.PROXY_SERVER_DISABLED, WHOLE.replace("'port'", "'enabled':false,'port'")))
                .containsExactly("web /enabled [ROUTER r]");
        assertThat(Configs.found(Rule.PROXY_SERVER_DISABLED, WHOLE)).isEmpty();
    }

    @Test
    void whatNothingNamesIsUnused() {
        assertThat(Configs.found(Rule.PROXY_PASS_UNUSED, "{'proxyPasses':[{'id':'p','upstreamId':'u'}]}"))
                .containsExactly("p ");
        assertThat(Configs.found(Rule.UPSTREAM_UNUSED, "{'upstreams':[{'id':'u','nodes':[{'url':'http://a:1'}]}]}"))
                .containsExactly("u ");
        assertThat(Configs.found(Rule.PROXY_PASS_UNUSED, WHOLE)).isEmpty();
        assertThat(Configs.found(Rule.UPSTREAM_UNUSED, WHOLE)).isEmpty();
    }

    @Test
    void aConsumerThatNobodyWouldKnowIsUnused() {
        String consumer =
                WHOLE.replace("{'proxyServers'", "{'consumers':[{'id':'c','apiKeys':[{'sha256':'x'}]}],'proxyServers'");
        assertThat(Configs.found(Rule.CONSUMER_UNUSED, consumer)).containsExactly("c ");
        assertThat(Configs.found(
                        Rule.CONSUMER_UNUSED, consumer.replace("'port':80", "'port':80,'plugins':{'basicAuth':{}}")))
                .containsExactly("c ");
        assertThat(Configs.found(
                        Rule.CONSUMER_UNUSED, consumer.replace("'port':80", "'port':80,'plugins':{'keyAuth':{}}")))
                .isEmpty();
    }

    @Test
    void retriesOfWhatMayHaveBeenDoneAreTold() {
        assertThat(Configs.found(Rule.RETRY_UNSAFE, pass("'upstreamId':'u','retry':{'methods':['GET','POST']}")))
                .containsExactly("p /retry/methods/1");
        assertThat(Configs.found(Rule.RETRY_UNSAFE, pass("'upstreamId':'u','retry':{'methods':['GET','PUT']}")))
                .isEmpty();
        assertThat(Configs.found(
                        Rule.RETRY_UNSAFE, pass("'upstreamId':'u','retry':{'attemptsMax':1,'methods':['POST']}")))
                .isEmpty();
    }

    @Test
    void aTotalThatLeavesNoTimeForItsPartsIsTold() {
        assertThat(Configs.found(Rule.TIMEOUTS_CONTRADICT, pass("'upstreamId':'u','timeouts':{'totalMillis':1500}")))
                .as("the connection alone may take 2000")
                .containsExactly("p /timeouts/totalMillis");
        assertThat(
                        Configs.found(
                                Rule.TIMEOUTS_CONTRADICT,
                                pass(
                                        "'upstreamId':'u','timeouts':{'totalMillis':5000,'responseMillis':9000},'retry':{'perTryMillis':5000}")))
                .hasSize(2);
        assertThat(Configs.found(
                        Rule.TIMEOUTS_CONTRADICT,
                        pass("'upstreamId':'u','timeouts':{'totalMillis':5000},'retry':{'perTryMillis':2000}")))
                .isEmpty();
    }

    @Test
    void aSubsetNeedsANode() {
        String state = upstream("'nodes':[{'url':'http://a:1','metadata':{'v':'1'}}]");
        String pass = "{'id':'p','upstreamId':'u','subset':{'metadata':{'v':'%s'}%s}}";
        assertThat(Configs.found(
                        Rule.SUBSET_WITHOUT_NODE,
                        state.replace("{'id':'p','upstreamId':'u'}", pass.formatted("2", ""))))
                .containsExactly("p /subset/metadata [UPSTREAM u]");
        assertThat(Configs.found(
                        Rule.SUBSET_WITHOUT_NODE,
                        state.replace("{'id':'p','upstreamId':'u'}", pass.formatted("1", ""))))
                .isEmpty();
        assertThat(Configs.found(
                        Rule.SUBSET_WITHOUT_NODE,
                        state.replace("{'id':'p','upstreamId':'u'}", pass.formatted("2", ",'fallback':'ANY'"))))
                .isEmpty();
    }

    @Test
    void anUpstreamNeedsANodeInService() {
        assertThat(Configs.found(
                        Rule.UPSTREAM_WITHOUT_NODE,
                        upstream("'nodes':[{'url':'http://a:1','down':true},{'url':'http://b:1','drain':true}]")))
                .containsExactly("u /nodes");
        assertThat(Configs.found(
                        Rule.UPSTREAM_WITHOUT_NODE,
                        upstream("'nodes':[{'url':'http://a:1','down':true},{'url':'http://b:1'}]")))
                .isEmpty();
        assertThat(Configs.found(Rule.UPSTREAM_WITHOUT_NODE, upstream("'discovery':{'type':'DNS','url':'http://a:1'}")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, http://127.0.0.1:80, true",
        "0.0.0.0, http://localhost, true",
        "'::', http://[::1], true",
        "127.0.0.1, http://127.0.0.1, true",
        "127.0.0.1, http://localhost:80, true",
        "10.1.2.3, http://10.1.2.3, true",
        "127.0.0.1, http://127.0.0.2, false",
        "0.0.0.0, http://127.0.0.1:81, false",
        "0.0.0.0, https://127.0.0.1, false",
        "0.0.0.0, http://10.1.2.3, false",
        "10.1.2.3, http://127.0.0.1, false"
    })
    void aNodeMayBeAListenerOfTheGateway(String host, String node, boolean found) {
        String state = "{'proxyServers':[{'id':'s','host':'%s','port':80%s}],"
                + "'upstreams':[{'id':'u','nodes':[{'url':'http://a:1'},{'url':'%s'}]}]}";
        assertThat(Configs.found(Rule.UPSTREAM_IS_LISTENER, state.formatted(host, "", node)))
                .isEqualTo(found ? List.of("u /nodes/1/url [PROXY_SERVER s]") : List.of());
        assertThat(Configs.found(Rule.UPSTREAM_IS_LISTENER, state.formatted(host, ",'enabled':false", node)))
                .isEmpty();
    }

    @Test
    void severalNodesWantToBeChecked() {
        String nodes = "'nodes':[{'url':'http://a:1'},{'url':'http://b:1'}]";
        assertThat(Configs.found(Rule.UPSTREAM_UNCHECKED, upstream(nodes))).containsExactly("u /healthCheck");
        assertThat(Configs.found(Rule.UPSTREAM_UNCHECKED, upstream(nodes + ",'outlierDetection':{}")))
                .isEmpty();
    }

    @Test
    void nodesThatAreBelievedUnseenAreTold() {
        assertThat(Configs.found(
                        Rule.TLS_UNVERIFIED, upstream("'nodes':[{'url':'https://a:1'}],'tls':{'verify':false}")))
                .containsExactly("u /tls/verify");
        assertThat(Configs.found(
                        Rule.TLS_UNVERIFIED, upstream("'nodes':[{'url':'http://a:1'}],'tls':{'verify':false}")))
                .isEmpty();
    }

    private static String certificate(String host, String tls, String hosts) {
        String chain = TestCertificate.create(host).chain().replace("\n", "\\n");
        return "{'certificates':[{'id':'c','chain':'" + chain + "'}],"
                + "'proxyServers':[{'id':'tls','protocol':'HTTPS','port':443,'tls':" + tls + "}],"
                + "'routers':[{'id':'r','proxyServerId':'tls','hosts':" + hosts + "}]}";
    }

    @Test
    void aCertificateThatNobodyPresentsIsUnused() {
        assertThat(Configs.found(
                        Rule.CERTIFICATE_UNUSED,
                        certificate("a.example.com", "{'certPath':'/c','keyPath':'/k'}", "[]")))
                .containsExactly("c ");
        assertThat(Configs.found(Rule.CERTIFICATE_UNUSED, certificate("a.example.com", "{}", "[]")))
                .isEmpty();
        assertThat(Configs.found(Rule.CERTIFICATE_UNUSED, certificate("a.example.com", "{'certificates':['c']}", "[]")))
                .isEmpty();
    }

    @Test
    void theHostsOfARouterWantACertificate() {
        String tls = "{'certificates':['c']}";
        assertThat(Configs.found(
                        Rule.CERTIFICATE_NOT_FOR_HOST,
                        certificate(
                                "*.example.com",
                                tls,
                                "['a.example.com','example.com','a.b.example.com','*.example.com']")))
                .containsExactly("r /hosts/1 [PROXY_SERVER tls]", "r /hosts/2 [PROXY_SERVER tls]");
        assertThat(Configs.found(Rule.CERTIFICATE_NOT_FOR_HOST, certificate("a.example.com", tls, "[]")))
                .isEmpty();
    }

    @Test
    void theEndOfACertificateIsToldBeforeAndAfter() {
        // Valid for an hour from now on, and since an hour ago.
        var state = Configs.state(certificate("a.example.com", "{}", "[]"));
        Instant now = Instant.now();
        assertThat(at(state, now)).containsExactly("certificate-expiring");
        assertThat(at(state, now.plus(Duration.ofHours(2)))).containsExactly("certificate-expired");
        assertThat(at(state, now.minus(Duration.ofHours(2)))).containsExactly("certificate-expired");
        Analyzer analyzer = new Analyzer();
        analyzer.update(state, null, now);
        assertThat(analyzer.tick(now.plus(Duration.ofHours(2))))
                .extracting(Finding::rule)
                .containsExactly("certificate-expired");
        assertThat(analyzer.tick(now.plus(Duration.ofHours(2)))).isEmpty();
    }

    private static List<String> at(io.sigma.snapshot.ConfigState state, Instant now) {
        Analyzer analyzer = new Analyzer();
        analyzer.update(state, null, now);
        return Configs.sorted(analyzer).stream()
                .map(Finding::rule)
                .filter(rule -> rule.startsWith("certificate-"))
                .toList();
    }

    @Test
    void pluginsThatNeverRunAreTold() {
        assertThat(Configs.found(
                        Rule.PLUGIN_NEVER_RUNS, WHOLE.replace("{'id':'r',", "{'id':'r','plugins':{'hsts':{}},")))
                .containsExactly("r /plugins/hsts [PROXY_SERVER web]");
        assertThat(
                        Configs.found(
                                Rule.PLUGIN_NEVER_RUNS,
                                WHOLE.replace(
                                        "'port':80",
                                        "'port':443,'protocol':'HTTPS','tls':{'certPath':'/c','keyPath':'/k'},'plugins':{'httpsRedirect':{},'hsts':{}}")))
                .containsExactly("web /plugins/httpsRedirect");
        assertThat(
                        Configs.found(
                                Rule.PLUGIN_NEVER_RUNS,
                                pass(
                                        "'upstreamId':'u','plugins':{'mockResponse':{},'rewritePath':{'regexp':'a','replacement':'b'}}")))
                .containsExactly("p /plugins/rewritePath");
        assertThat(
                        Configs.found(
                                Rule.PLUGIN_NEVER_RUNS,
                                pass(
                                        "'upstreamId':'u','plugins':{'mockResponse':{'enabled':false},'rewritePath':{'regexp':'a','replacement':'b'}}")))
                .isEmpty();
    }

    @Test
    void consumersCanOnlyBeToldApartWhereTheyAreKnown() {
        String acl = WHOLE.replace("'path':'/'", "'path':'/','plugins':{'acl':{'allowGroups':['g']}}");
        assertThat(Configs.found(Rule.ACL_WITHOUT_AUTHENTICATION, acl)).containsExactly("x /plugins/acl");
        assertThat(Configs.found(
                        Rule.ACL_WITHOUT_AUTHENTICATION, acl.replace("'port':80", "'port':80,'plugins':{'jwt':{}}")))
                .isEmpty();
        assertThat(Configs.found(
                        Rule.ACL_WITHOUT_AUTHENTICATION,
                        acl.replace("'upstreamId':'u'", "'upstreamId':'u','plugins':{'keyAuth':{}}")))
                .isEmpty();
    }

    @Test
    void whoIsAllowedHasToExist() {
        String acl = WHOLE.replace(
                "'path':'/'", "'path':'/','plugins':{'acl':{'allowGroups':['g','h'],'denyConsumers':['c','d']}}");
        String known = acl.replace("{'proxyServers'", "{'consumers':[{'id':'c','groups':['g']}],'proxyServers'");
        assertThat(Configs.found(Rule.ACL_UNKNOWN, known))
                .containsExactly("x /plugins/acl/allowGroups/1", "x /plugins/acl/denyConsumers/1");
    }
}
