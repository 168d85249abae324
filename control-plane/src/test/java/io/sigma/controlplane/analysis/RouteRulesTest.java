package io.sigma.controlplane.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.model.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RouteRulesTest {

    /** Routes of a router without hosts on one proxy server. */
    private static String routes(String routes) {
        return "{'proxyServers':[{'id':'web','port':80}],'routers':[{'id':'r','proxyServerId':'web'}],"
                + "'proxyPasses':[{'id':'p','upstreamId':'u'},{'id':'q','upstreamId':'u'}],'routes':[" + routes + "]}";
    }

    private static String route(String id, String rest) {
        return "{'id':'" + id + "','routerId':'r','proxyPassId':'p'," + rest + "}";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // wide, narrow, whether the wide one takes all that the narrow one would, when it comes first
                "/*            | /a            | true",
                "/*            | ~/a[0-9]      | true",
                "/a/*          | /a            | true",
                "/a/*          | /a/           | true",
                "/a/*          | /a/b/:c/*     | true",
                "/a/*          | /ab           | false",
                "/a/*          | /*            | false",
                "/a            | /a/*          | false",
                "/users/:id    | /users/me     | true",
                "/users/:id    | /users/:name  | true",
                "/users/:id    | /users/       | false",
                "/users/:id    | /users/me/x   | false",
                "/users/:id/*  | /users/me/x   | true",
                "/users/:id    | /users/*      | false",
                "/users/me     | /users/:id    | false",
                "/a/*          | ~/a/[0-9]+    | true",
                "/a/*          | ~/a[0-9]+     | false",
                "/a/:x/*       | ~/a/b/[0-9]+  | true",
                "~/a/.*        | /a/b/*        | true",
                "~/a/.*        | /a/*          | false",
                "~/a.*         | /a/*          | true",
                "~/a/.*        | ~/a/b[0-9]    | true",
                "~/v[0-9]/x    | /v1/x         | true",
                "~/v[0-9]/x    | /vx/x         | false",
                "~/v[0-9]/x    | ~/v[0-9]/x    | true",
                "~/v[0-9]/x    | /:v/x         | false",
                "~.*           | /a            | true",
                // Parameters of segments take part only for a route that has one itself.
                "/internal/*   | /internal;x=1/y | true",
                "/internal     | /internal;x=1 | true",
                "/internal;x=1 | /internal     | false",
                "/internal;x=1 | /internal;x=1 | true",
                "/internal;x=1 | /internal;x=2 | false",
                "/a;x/*        | /a/b          | false",
                "/a/*          | /;/a/b        | true",
                "/:any/a/*     | /;x/a/b       | false",
                "/a/:id        | /a;x/:id      | false",
                "~/a/.*        | /a;x=1/b      | true",
                "~/a(;.*)?     | /a            | false",
                "~.*           | /a;x          | true",
            })
    void aRouteIsShadowedByOneThatTakesAllOfItsPathsBefore(String wide, String narrow, boolean shadowed) {
        String json = routes(
                route("wide", "'priority':1,'path':'" + wide + "'") + "," + route("narrow", "'path':'" + narrow + "'"));
        assertThat(Configs.found(Rule.ROUTE_SHADOWED, json))
                .containsExactlyElementsOf(
                        shadowed ? java.util.List.of("narrow /path [ROUTE wide]") : java.util.List.of());
    }

    @Test
    void aMoreSpecificRouteIsNotShadowedWithoutAPriority() {
        assertThat(Configs.found(
                        Rule.ROUTE_SHADOWED,
                        routes(route("wide", "'path':'/*'") + "," + route("narrow", "'path':'/a'"))))
                .isEmpty();
    }

    @Test
    void whatAsksForMoreShadowsNothing() {
        String json = routes(route("a", "'path':'/x','priority':9,'headers':[{'name':'V','value':'1'}]") + ","
                + route("b", "'path':'/x','priority':8,'clientAddresses':['10.0.0.0/8']") + ","
                + route("c", "'path':'/x','priority':7,'consumes':['text/*']") + ","
                + route("d", "'path':'/x','priority':6,'produces':['text/html']") + ","
                + route("e", "'path':'/x','priority':5,'methods':['GET']") + "," + route("f", "'path':'/x'"));
        assertThat(Configs.found(Rule.ROUTE_SHADOWED, json)).isEmpty();
    }

    @Test
    void whatAsksForLessShadowsWhatAsksForMore() {
        String json = routes(route(
                        "a",
                        "'path':'/x','priority':1,'headers':[{'name':'v','regex':'[0-9]'}],'clientAddresses':['10.0.0.0/8']")
                + ","
                + route(
                        "b",
                        "'path':'/x','headers':[{'name':'V','value':'1'},{'name':'w','present':true}],'clientAddresses':['10.1.0.0/16']")
                + ","
                + route("c", "'path':'/x','headers':[{'name':'V','value':'x'}],'clientAddresses':['10.1.0.0/16']")
                + ","
                + route("d", "'path':'/x','headers':[{'name':'V','value':'1'}],'clientAddresses':['192.0.2.1']"));
        assertThat(Configs.found(Rule.ROUTE_SHADOWED, json)).containsExactly("b /path [ROUTE a]");
    }

    @Test
    void severalRoutesShadowOneTogetherByItsMethods() {
        String gets = route("get", "'path':'/x','methods':['GET']");
        String posts = route("post", "'path':'/x','methods':['POST','PUT']");
        String both = route("z", "'path':'/x','methods':['GET','POST']");
        assertThat(Configs.found(Rule.ROUTE_SHADOWED, routes(gets + "," + posts + "," + both)))
                .containsExactly("z /path [ROUTE get, ROUTE post]");
        assertThat(Configs.found(Rule.ROUTE_SHADOWED, routes(gets + "," + both)))
                .isEmpty();
        assertThat(Configs.found(
                        Rule.ROUTE_SHADOWED,
                        routes(route("a", "'path':'/x'") + ","
                                + route("trace", "'path':'/x','priority':-1,'methods':['TRACE']"))))
                .as("a route without methods takes no TRACE")
                .isEmpty();
    }

    @Test
    void everyHostOfARouteHasToBeTaken() {
        String servers = "{'proxyServers':[{'id':'web','port':80},{'id':'other','port':81}],'routers':["
                + "{'id':'wide','proxyServerId':'web','hosts':['*.example.com']},"
                + "{'id':'narrow','proxyServerId':'web','hosts':['a.example.com'%s]},"
                + "{'id':'elsewhere','proxyServerId':'other','hosts':['a.example.com']}],'routes':["
                + "{'id':'w','routerId':'wide','path':'/*','priority':%d,'proxyPassId':'p'},"
                + "{'id':'n','routerId':'narrow','path':'/x','proxyPassId':'p'},"
                + "{'id':'e','routerId':'elsewhere','path':'/x','proxyPassId':'p'}]}";
        assertThat(Configs.found(Rule.ROUTE_SHADOWED, servers.formatted("", 1))).containsExactly("n /path [ROUTE w]");
        assertThat(Configs.found(Rule.ROUTE_SHADOWED, servers.formatted(",'example.org'", 1)))
                .isEmpty();
        assertThat(Configs.found(Rule.ROUTE_SHADOWED, servers.formatted("", 0)))
                .as("the more specific host comes first")
                .isEmpty();
    }

    @Test
    void whatIsDisabledShadowsNothing() {
        assertThat(Configs.found(
                        Rule.ROUTE_SHADOWED,
                        routes(route("a", "'path':'/*','priority':1,'enabled':false") + ","
                                + route("b", "'path':'/x'"))))
                .isEmpty();
    }

    @Test
    void routesThatOnlyTheirIdsTellApartAreAmbiguous() {
        String one = "{'id':'one','routerId':'r','proxyPassId':'p','path':'/x','headers':[{'name':'A','value':'1'}]}";
        String two =
                "{'id':'two','routerId':'r','proxyPassId':'%s','path':'/x','headers':[{'name':'%s','value':'2'}]%s}";
        assertThat(Configs.found(Rule.ROUTE_AMBIGUOUS, routes(one + "," + two.formatted("q", "B", ""))))
                .containsExactly("two /path [ROUTE one]");
        assertThat(Configs.found(Rule.ROUTE_AMBIGUOUS, routes(one + "," + two.formatted("q", "A", ""))))
                .as("never both")
                .isEmpty();
        assertThat(Configs.found(Rule.ROUTE_AMBIGUOUS, routes(one + "," + two.formatted("p", "B", ""))))
                .as("the same becomes of both")
                .isEmpty();
        assertThat(Configs.found(Rule.ROUTE_AMBIGUOUS, routes(one + "," + two.formatted("q", "B", ",'priority':1"))))
                .isEmpty();
    }

    @Test
    void aRouteWithConditionsThatNeverHoldTogetherTakesNothing() {
        assertThat(
                        Configs.found(
                                Rule.ROUTE_NEVER_MATCHES,
                                routes(
                                        route(
                                                        "a",
                                                        "'path':'/','queryParameters':[{'name':'x','value':'1'},{'name':'x','present':false}]")
                                                + ","
                                                + route(
                                                        "b",
                                                        "'path':'/','cookies':[{'name':'x','value':'1'},{'name':'x','regex':'[a-z]'}]"))))
                .containsExactly("a /queryParameters/1", "b /cookies/1");
        assertThat(
                        Configs.found(
                                Rule.ROUTE_NEVER_MATCHES,
                                routes(
                                        route(
                                                "a",
                                                "'path':'/','queryParameters':[{'name':'x','value':'1'},{'name':'X','present':false}]"))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "v1/.*           | every path begins with /, not with \"v\"",
                "/a//b.*         | no path has \"//\": the router merges slashes",
                "/a/\\.\\./b     | no path has \"/./\" or \"/../\": dot segments are resolved",
                "/[a-z]+/\\.     | no path ends with \"/.\" or \"/..\": dot segments are resolved",
                "/a%2fb          | no path has \"%2f\": its normal form is \"%2F\"",
                "/a%41.*         | no path has \"%41\": its normal form is \"A\"",
                "/.*%2E          | no path has \"%2E\": its normal form is \".\"",
                "/a%00           | no path has \"%00\": requests with it are refused",
                "/a b            | no path has \" \": such characters are encoded",
                "/a\\?b=.*       | no path has \"?\": the query is not part of the path",
                "/a              |",
                "/a%2Fb          |",
                ".*              |",
                "/a%4[0-9].*     |",
                "(v1)?/v1/.*     |",
                "(?i)v1          |",
                "\\*              |"
            })
    void expressionThatNoNormalPathMatchesTakesNothing(String expression, String reason) {
        String path = "'path':'~" + expression.replace("\\", "\\\\") + "'";
        assertThat(details(routes(route("a", path))))
                .isEqualTo(reason == null ? List.of() : List.of("The expression matches no path: " + reason + "."));
    }

    @Test
    void slashesThatTheRouterKeepsMayBeInAnExpression() {
        String kept = routes(route("a", "'path':'~/a//b'")).replace("'id':'r',", "'id':'r','mergeSlashes':false,");
        assertThat(details(kept)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'methods':['CONNECT','TRACE']                                  | a /methods",
                "'methods':['TRACE','GET']                                      |",
                "'headers':[{'name':'A','value':' x'}]                          | a /headers/0",
                "'headers':[{'name':'A','value':'\u0100'}]                      | a /headers/0",
                "'headers':[{'name':'A','value':'x y'}]                         |",
                "'cookies':[{'name':'A','value':'x;y'}]                         | a /cookies/0",
                "'queryParameters':[{'name':'A','value':' x'}]                  |",
                "'headers':[{'name':'X-Consumer-Id','value':'x'}]               | a /headers/0",
                "'headers':[{'name':'x-consumer-id','present':true}]            | a /headers/0",
                "'headers':[{'name':'X-Consumer-Id','present':false}]           |",
                "'headers':[{'name':'Cookie','present':false}],'cookies':[{'name':'A','value':'x'}] | a /cookies/0",
                "'headers':[{'name':'Cookie','present':false}],'cookies':[{'name':'A','present':false}] |",
                "'headers':[{'name':'A','regex':'x.*'},{'name':'a','regex':'y.*'}]   | a /headers/1",
                "'headers':[{'name':'A','regex':'.*x'},{'name':'a','regex':'.*y'}]   | a /headers/1",
                "'headers':[{'name':'A','regex':'x.*'},{'name':'a','regex':'xy.*z'}] |",
                "'headers':[{'name':'Accept','value':'text/html, text/plain'}],'produces':['application/json'] | a /headers/0",
                "'headers':[{'name':'Accept','value':'text/html, */*'}],'produces':['application/json'] |",
                "'headers':[{'name':'Accept','value':'text/html'}],'produces':['text/*'] |"
            })
    void conditionThatNoRequestMeetsTakesNothing(String conditions, String finding) {
        assertThat(Configs.found(Rule.ROUTE_NEVER_MATCHES, routes(route("a", "'path':'/'," + conditions))))
                .isEqualTo(finding == null ? List.of() : List.of(finding));
    }

    private static List<String> details(String json) {
        return Configs.analyse(Configs.state(json)).stream()
                .filter(finding -> finding.rule().equals(Rule.ROUTE_NEVER_MATCHES.id()))
                .map(Finding::detail)
                .toList();
    }
}
