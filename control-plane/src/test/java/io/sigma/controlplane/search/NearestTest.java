package io.sigma.controlplane.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.json.Json;
import io.sigma.model.Kind;
import io.sigma.model.SearchHit;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is found of what people have at hand, and what is nearest to a wrong guess. */
final class NearestTest {

    private ConfigState state = ConfigState.empty();
    private final SearchIndex index = new SearchIndex(() -> state);

    private void put(Kind kind, String id, String fields) {
        String json = "{\"id\":\"" + id + "\"," + fields.replace('\'', '"') + "}";
        state = state.with(List.of(EntityChange.of(kind, id, Json.read(json, JsonNode.class))));
    }

    @BeforeEach
    void configure() {
        put(Kind.PROXY_SERVER, "web", "'port':9390");
        put(Kind.ROUTER, "shop", "'proxyServerId':'web','hosts':['shop.example.com','*.api.example.com']");
        put(Kind.ROUTER, "rest", "'proxyServerId':'web'");
        put(
                Kind.UPSTREAM,
                "cart",
                "'nodes':[{'url':'http://10.20.30.41:8080'},{'url':'http://basket-svc.prod.svc.cluster.local:80'}]");
        put(Kind.UPSTREAM, "payments", "'nodes':[{'url':'http://10.20.30.50:8080'}]");
        put(Kind.PROXY_PASS, "to-cart", "'upstreamId':'cart'");
        put(Kind.PROXY_PASS, "to-payments", "'upstreamId':'payments'");
        put(Kind.ROUTE, "items", "'routerId':'shop','path':'/cart/:id/items','proxyPassId':'to-cart'");
        put(
                Kind.ROUTE,
                "orders",
                "'routerId':'shop','path':'/api/v2/orders/*','proxyPassId':'to-payments',"
                        + "'headers':[{'name':'X-Tenant','value':'acme'}],"
                        + "'queryParameters':[{'name':'region','regex':'eu-.*'}],"
                        + "'cookies':[{'name':'beta','present':true}]");
        put(Kind.ROUTE, "login", "'routerId':'shop','path':'/Login','proxyPassId':'to-cart'");
        put(Kind.ROUTE, "coffee", "'routerId':'shop','path':'/caf%C3%A9/menu','proxyPassId':'to-cart'");
        put(Kind.ROUTE, "docs", "'routerId':'shop','path':'/docs/','proxyPassId':'to-cart'");
        put(Kind.ROUTE, "submit", "'routerId':'shop','path':'/submit','methods':['POST'],'proxyPassId':'to-payments'");
        put(Kind.ROUTE, "all", "'routerId':'rest','path':'/*','proxyPassId':'to-cart'");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    /cart/7/items?page=2                        | items,all
                    //cart//7/./items#top                       | items,all
                    /caf\u00e9/menu                             | coffee,all
                    /c%61f%c3%a9/menu                           | coffee,all
                    https://shop.example.com                    | shop
                    https://shop.example.com:8443               | shop
                    shop.example.com.                           | shop
                    shop.example.com:9390                       | web,shop
                    eu.api.example.com                          | shop
                    http://10.20.30.41:8080                     | cart
                    https://10.20.30.41:8080                    | cart
                    port 9390                                   | web
                    :9390                                       | web
                    :8080                                       | cart,payments
                    X-Tenant                                    | orders
                    x-tenant: acme                              | orders
                    header:x-tenant                             | orders
                    region=eu                                   | orders
                    cookie:beta                                 | orders
                    GET /cart/7/items HTTP/1.1                  | items,all
                    POST /submit                                | submit,all
                    """)
    void whatPeopleHaveAtHandLeadsToTheResource(String query, String ids) {
        assertThat(index.find(SearchQuery.parse(query), 100).items().stream()
                        .map(SearchHit::id)
                        .collect(Collectors.joining(",")))
                .isEqualTo(ids);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    /cart/7/items/                              | items TRAILING_SLASH /cart/:id/items
                    /docs/x/..                                  |
                    /CART/7/items/                              | items TRAILING_SLASH /cart/:id/items
                    /carts/7/items                              | items PATH /cart/:id/items
                    /v1/cart/7/items                            | items PATH /cart/:id/items
                    /v2/orders/9                                | orders PATH /api/v2/orders/*
                    /api/v2/order/9                             | orders PATH /api/v2/orders/*
                    cart/7/items                                | items PATH /cart/:id/items
                    https://nope.example.org/submit             | submit HOST shop.example.com, *.api.example.com
                    GET /submit                                 | submit METHOD POST
                    http://10.20.30.50:8080/submit              | payments NODE http://10.20.30.50:8080
                    http://10.20.30.41:9999                     | cart NODE http://10.20.30.41:8080
                    paymnets                                    | payments SPELLING payments
                    shop.exmaple.com                            | shop SPELLING shop.example.com
                    payments-7d9f8b6c5-x2x4z                    | payments PART payments
                    prod_payments_1                             | payments PART payments
                    basket-svc-0                                | cart PART http://basket-svc.prod.svc.cluster.local:80
                    nothing-like-it                             |
                    10.20.30.42                                 |
                    plugin:payment                              |
                    """)
    void theNearestOfAWrongGuessSaysWhatDiffers(String query, String nearest) {
        String first = index.find(SearchQuery.parse(query), 100).nearest().stream()
                .findFirst()
                .map(hit -> hit.id() + " " + hit.difference() + " "
                        + hit.found().getFirst().value())
                .orElse("");
        assertThat(first).isEqualTo(nearest == null ? "" : nearest);
    }

    @Test
    void aPathInAnotherCaseIsMarked() {
        assertThat(index.find(SearchQuery.parse("/login"), 100).items())
                .filteredOn(hit -> hit.id().equals("login"))
                .allMatch(hit -> String.valueOf(hit.difference()).equals("CASE"))
                .hasSize(1);
        assertThat(index.find(SearchQuery.parse("/Login"), 100).items()).allMatch(hit -> hit.difference() == null);
    }

    @Test
    void aNodesUrlLeadsToTheRoutesOfItsUpstreamFirst() {
        put(Kind.ROUTE, "a-submit", "'routerId':'shop','path':'/submit','proxyPassId':'to-cart'");
        assertThat(index.find(SearchQuery.parse("http://10.20.30.50:8080/submit"), 100)
                        .nearest())
                .extracting(SearchHit::id)
                .containsExactly("payments", "submit", "a-submit");
    }

    @Test
    void whereSomethingFitsNothingIsNear() {
        assertThat(index.find(SearchQuery.parse("/cart/7/items"), 100).nearest())
                .isEmpty();
        assertThat(index.find(SearchQuery.parse("payments"), 100).nearest()).isEmpty();
    }

    @Test
    void atMostFiveAreNear() {
        for (int i = 0; i < 20; i++) {
            put(Kind.ROUTE, "inventory-" + i, "'routerId':'shop','path':'/inventory/:id','proxyPassId':'to-cart'");
        }
        assertThat(index.find(SearchQuery.parse("/inventory"), 100).items()).isNotEmpty();
        assertThat(index.find(SearchQuery.parse("/inventori/1"), 100).nearest()).hasSize(5);
    }
}
