package io.sigma.controlplane.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.testing.ContractWalk;
import io.sigma.controlplane.testing.ContractWalk.Place;
import io.sigma.snapshot.ResourceType;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A text that fits the contract but cannot be parsed is refused, and told where. */
final class UnparsableTextTest {

    /** Texts that nobody parses, but for what the contract says of them already, and why. */
    private static final Set<String> FREE = Set.of(
            // Shown to people.
            "ConsumerKey.name",
            // Compared as they are with what requests, tokens or nodes have.
            "RouteCondition.name",
            "RouteCondition.value",
            "RpcCondition.name",
            "RpcCondition.prefix",
            "RpcCondition.value",
            "TextMatch.prefix",
            "TextMatch.value",
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
            "Router.proxyPassId",
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

    @RegisterExtension
    static final TestAdmission admission = new TestAdmission();

    static Stream<ParsedText> texts() {
        return Stream.concat(ResourceTexts.rows(), PluginTexts.rows());
    }

    @ParameterizedTest
    @MethodSource("texts")
    void textThatCannotBeParsedIsRefusedWithItsPointer(ParsedText row) {
        if (!row.good().isEmpty()) {
            assertThat(admission.refused(row.type(), row.with(row.good())))
                    .as(row.good())
                    .isEmpty();
        }
        for (String bad : row.bad()) {
            assertThat(admission.refused(row.type(), row.with(bad)))
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
        texts().forEach(row -> names.remove(nameOf(row)));
        ResourceType.ALL.forEach(
                type -> FREE_OF_EACH.forEach(field -> names.remove(type.model().getSimpleName() + "." + field)));
        names.removeAll(FREE);
        assertThat(names).isEmpty();
        assertThat(all).containsAll(FREE);
    }

    private static String nameOf(ParsedText row) {
        String pointer = row.pointer("X-A").replaceAll("/[0-9]+", "/0");
        return ContractWalk.load().nameAt(row.type(), pointer);
    }
}
