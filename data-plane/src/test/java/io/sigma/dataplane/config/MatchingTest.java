package io.sigma.dataplane.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.Http2Client;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.model.RouteCondition;
import io.sigma.model.ServerLimits;
import io.sigma.snapshot.ResourceType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The route of a request that came over a socket; each route leads to a node of its own name. */
final class MatchingTest extends MatchingContract {

    @Test
    void requestOnWhichExpressionsTakeTooLongIsRefused() throws Exception {
        Config config = config();
        with(config, "any", path("/*"));
        with(config, "slow", path("~/(?s)((a*){99}){12}[bc]").priority(1));
        with(config, "field", path("/field").headers(List.of(matches("X-Text", "(?s)((a*){99}){12}[bc]"))));
        gateway().apply(config);
        String text = "a".repeat(8000);
        assertThat(taken("/" + text)).isEqualTo("500");
        assertThat(taken("/field", "X-Text: " + text)).isEqualTo("500");
        assertThat(taken("/field", "X-Text: aab")).isEqualTo("field");
        assertThat(taken("/aaac")).isEqualTo("slow");
        assertThat(taken("/x")).isEqualTo("any");
    }

    @Test
    void headerConditionsChooseAmongRoutesOnOnePath() throws Exception {
        Config config = config();
        with(config, "any", path("/*"));
        with(config, "beta", path("/*").headers(List.of(is("X-Version", "2"))));
        with(config, "old", path("/*").headers(List.of(matches("User-Agent", "Mozilla/[1-4]\\..*"))));
        with(config, "both", path("/*").headers(List.of(is("X-Version", "2"), present("Authorization", true))));
        with(config, "bare", path("/bare").headers(List.of(present("Accept-Language", false))));
        gateway().apply(config);
        assertThat(taken("/")).isEqualTo("any");
        assertThat(taken("/", "x-VERSION: 2")).isEqualTo("beta");
        assertThat(taken("/", "X-Version: 22")).isEqualTo("any");
        assertThat(taken("/", "X-Version: 2", "X-Version: 3")).isEqualTo("any");
        assertThat(taken("/", "User-Agent: Mozilla/4.0 (old)")).isEqualTo("old");
        assertThat(taken("/", "User-Agent: Mozilla/5.0 (Mozilla/4.0)")).isEqualTo("any");
        assertThat(taken("/", "X-Version: 2", "Authorization: x")).isEqualTo("both");
        assertThat(taken("/bare")).isEqualTo("bare");
        assertThat(taken("/bare", "Accept-Language: de")).isEqualTo("any");
    }

    @Test
    void severalLinesOfAFieldAreOneValue() throws Exception {
        Config config = config();
        with(config, "list", path("/*").headers(List.of(is("X-A", "1, 2"))));
        gateway().apply(config);
        assertThat(taken("/", "X-A: 1", "X-A: 2")).isEqualTo("list");
        assertThat(taken("/", "X-A: 1, 2")).isEqualTo("list");
        assertThat(taken("/", "X-A: 2", "X-A: 1")).isEqualTo("404");
    }

    @ParameterizedTest
    @CsvSource({
        "/?v=2, two",
        "/?a=b&v=2&c, two",
        "/?v=1&v=2, any",
        "/?v=2&v=1, two",
        "/?%76=%32, two",
        "/?v=a+b, words",
        "/?v=a%20b, words",
        "/?v=%zz, any",
        "/?V=2, any",
        "/?v, any",
        "/, none",
        "/?debug=, debug",
        "/?debug, debug"
    })
    void queryParametersAreComparedDecoded(String target, String expected) throws Exception {
        Config config = config();
        with(config, "any", path("/*"));
        with(config, "two", path("/*").queryParameters(List.of(is("v", "2"))));
        with(config, "words", path("/*").queryParameters(List.of(matches("v", "[a-z]+ [a-z]+"))));
        with(
                config,
                "none",
                path("/*").queryParameters(List.of(present("v", false), present("V", false), present("debug", false))));
        with(config, "debug", path("/*").queryParameters(List.of(present("debug", true))));
        gateway().apply(config);
        assertThat(taken(target)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "beta=on|on",
                "a=b; beta=on; c=d|on",
                "a=b;beta=on|on",
                "beta=off; beta=on|any",
                "xbeta=on|any",
                "a=beta=on|any",
                "Beta=on|any",
                "id=user-17|user",
                "id=user-x|any"
            })
    void cookiesAreReadByName(String cookies, String expected) throws Exception {
        Config config = config();
        with(config, "any", path("/*"));
        with(config, "on", path("/*").cookies(List.of(is("beta", "on"))));
        with(config, "user", path("/*").cookies(List.of(matches("id", "user-[0-9]+"))));
        gateway().apply(config);
        assertThat(taken("/", "Cookie: " + cookies)).isEqualTo(expected);
    }

    @Test
    void clientAddressIsThatOfThePeerUnlessThePeerIsTrusted() throws Exception {
        Config config = config();
        with(config, "any", path("/*"));
        with(config, "local", path("/*").clientAddresses(List.of("127.0.0.0/8")));
        with(config, "ten", path("/*").clientAddresses(List.of("10.0.0.0/8", "2001:db8::/32")));
        with(config, "narrow", path("/*").clientAddresses(List.of("10.1.0.0/16")));
        gateway().apply(config);
        assertThat(taken("/")).isEqualTo("local");
        assertThat(taken("/", "X-Forwarded-For: 10.1.2.3")).isEqualTo("local");
        gateway()
                .apply(config.with(
                        ResourceType.PROXY_SERVER,
                        "web",
                        server -> server.toBuilder()
                                .trustedProxies(List.of("127.0.0.1"))
                                .build()));
        assertThat(taken("/")).isEqualTo("local");
        assertThat(taken("/", "X-Forwarded-For: 10.2.2.3")).isEqualTo("ten");
        assertThat(taken("/", "X-Forwarded-For: 10.1.2.3")).isEqualTo("narrow");
        assertThat(taken("/", "X-Forwarded-For: 192.0.2.1")).isEqualTo("any");
    }

    @Test
    void whatIsMissingIsToldApartAndFailedConditionsDoNotCount() throws Exception {
        Config config = config();
        with(
                config,
                "json",
                path("/x")
                        .methods(List.of("POST"))
                        .consumes(List.of("application/json"))
                        .produces(List.of("application/json")));
        with(config, "beta", path("/x").methods(List.of("DELETE")).headers(List.of(is("X-Beta", "1"))));
        with(config, "only", path("/only").methods(List.of("PUT")).cookies(List.of(present("id", true))));
        gateway().apply(config);
        assertThat(taken("/else")).isEqualTo("404");
        RawClient.Answer answer = get("/x");
        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.field("allow")).isEqualTo("POST");
        answer = exchange("GET /x HTTP/1.1\r\nHost: a\r\nX-Beta: 1\r\n\r\n");
        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.field("allow")).isEqualTo("DELETE, POST");
        assertThat(taken("/only")).isEqualTo("404");
        assertThat(taken("/only", "Cookie: id=1")).isEqualTo("405");
        assertThat(takenBy("POST", "a", "/x", "Content-Type: text/plain", "Content-Length: 0"))
                .isEqualTo("415");
        assertThat(takenBy("POST", "a", "/x", "Accept: text/html", "Content-Length: 0"))
                .isEqualTo("406");
        assertThat(takenBy("POST", "a", "/x", "Content-Length: 0")).isEqualTo("json");
        assertThat(takenBy("DELETE", "a", "/x", "X-Beta: 1")).isEqualTo("beta");
    }

    @Test
    void methodThatNobodyKnowsIsForwardedWhereTheRouteAllowsIt() throws Exception {
        Config config = config();
        with(config, "any", path("/any"));
        with(config, "named", path("/named").methods(List.of("FROBNICATE")));
        with(config, "get", path("/get").methods(List.of("GET")));
        gateway().apply(config);
        assertThat(takenBy("FROBNICATE", "a", "/any")).isEqualTo("any");
        assertThat(takenBy("FROBNICATE", "a", "/named")).isEqualTo("named");
        assertThat(takenBy("FROBNICATE", "a", "/get")).isEqualTo("405");
        assertThat(takenBy("frobnicate", "a", "/named")).isEqualTo("405");
    }

    @Test
    void forwardingFieldsOfAnUntrustedPeerMeetNoCondition() throws Exception {
        Config config = config();
        with(config, "any", path("/*"));
        with(config, "secure", path("/*").headers(List.of(is("X-Forwarded-Proto", "https"))));
        gateway().apply(config);
        assertThat(taken("/", "X-Forwarded-Proto: https")).isEqualTo("any");
        gateway()
                .apply(config.with(
                        ResourceType.PROXY_SERVER,
                        "web",
                        server -> server.toBuilder()
                                .trustedProxies(List.of("127.0.0.1"))
                                .build()));
        assertThat(taken("/", "X-Forwarded-Proto: https")).isEqualTo("secure");
    }

    @Test
    void fieldWithAnUnderscoreMeetsNoCondition() throws Exception {
        Config config = config();
        with(config, "any", path("/*"));
        with(config, "tenant", path("/*").headers(List.of(present("X-Tenant", true))));
        gateway().apply(config);
        assertThat(taken("/", "X_Tenant: 1")).isEqualTo("any");
        assertThat(nodes.getFirst().last().field("x_tenant")).isNull();
        assertThat(taken("/", "X-Tenant: 1")).isEqualTo("tenant");
    }

    @Test
    void fieldThatConnectionNamesMeetsNoCondition() throws Exception {
        Config config = config();
        with(config, "any", path("/*"));
        with(config, "inner", path("/*").headers(List.of(is("X-Inner", "1"))));
        gateway().apply(config);
        assertThat(taken("/", "X-Inner: 1")).isEqualTo("inner");
        assertThat(taken("/", "X-Inner: 1", "Connection: X-Inner")).isEqualTo("any");
    }

    @Test
    void moreFieldsThanTheLimitAreAnswered431() throws Exception {
        Config config = config();
        with(config, "any", path("/*"));
        gateway().apply(config);
        String many = "X-A: 1\r\n".repeat(198);
        assertThat(taken("/", many + "X-B: 1")).isEqualTo("any");
        assertThat(taken("/", many + "X-B: 1", "X-C: 1", "X-D: 1")).isEqualTo("431");
        String[] fields = new String[2 * 201];
        for (int i = 0; i < fields.length; i += 2) {
            fields[i] = "x-" + i;
            fields[i + 1] = "1";
        }
        assertThat(Http2Client.exchange(port(), "GET", "/", null, fields).status())
                .isEqualTo(431);
        assertThat(nodes.getFirst().received()).hasSize(1);
    }

    @Test
    void hundredsOfFieldsThatAreDroppedLeaveTheOthers() throws Exception {
        Config config = config();
        with(config, "tenant", path("/*").headers(List.of(is("X-Tenant", "1"))));
        gateway()
                .apply(config.with(
                        ResourceType.PROXY_SERVER,
                        "web",
                        server -> server.toBuilder()
                                .limits(ServerLimits.builder().fieldsMax(400).build())
                                .build()));
        StringBuilder dropped = new StringBuilder();
        List<String> fields = new ArrayList<>(List.of("x-tenant", "1"));
        for (int i = 0; i < 300; i++) {
            dropped.append("X_Field_").append(i).append(": 1\r\n");
            fields.addAll(List.of("x_field_" + i, "1"));
        }
        assertThat(taken("/", dropped + "X-Tenant: 1")).isEqualTo("tenant");
        assertThat(Http2Client.exchange(port(), "GET", "/", null, fields.toArray(String[]::new))
                        .body())
                .isEqualTo("tenant");
        assertThat(nodes.getFirst().received()).hasSize(2).allSatisfy(request -> {
            assertThat(request.field("x-tenant")).isEqualTo("1");
            assertThat(request.fields()).noneMatch(field -> field.contains("_"));
        });
    }

    private static RouteCondition matches(String name, String regex) {
        return RouteCondition.builder().name(name).regex(regex).build();
    }

    private static RouteCondition present(String name, boolean present) {
        return RouteCondition.builder().name(name).present(present).build();
    }
}
