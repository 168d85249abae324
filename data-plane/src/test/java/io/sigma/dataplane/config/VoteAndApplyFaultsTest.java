package io.sigma.dataplane.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.identity.Pem;
import io.sigma.json.Json;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.ResourceType;
import io.sigma.snapshot.Snapshot;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults that an application refuses, and a vote with the same pointer, whether or not something names the resource.
 */
final class VoteAndApplyFaultsTest extends VoteAndApplyContract {

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
