package io.sigma.controlplane.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.json.Json;
import io.sigma.model.Kind;
import io.sigma.model.SearchHit;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The results of words, and their order. */
final class SearchIndexTest {

    private ConfigState state = ConfigState.empty();
    private final SearchIndex index = new SearchIndex(() -> state);

    private void put(Kind kind, String id, String fields) {
        String json = "{\"id\":\"" + id + "\"" + (fields.isEmpty() ? "" : "," + fields.replace('\'', '"')) + "}";
        state = state.with(List.of(EntityChange.of(kind, id, Json.read(json, JsonNode.class))));
    }

    private void remove(Kind kind, String id) {
        state = state.with(List.of(EntityChange.of(kind, id, null)));
    }

    @BeforeEach
    void configure() {
        put(Kind.PROXY_SERVER, "web", "'port':8080,'host':'127.0.0.1','plugins':{'gzip':{}}");
        put(Kind.ROUTER, "shop", "'proxyServerId':'web','hosts':['shop.example.com','*.shop.example.org']");
        put(Kind.ROUTER, "any", "'proxyServerId':'web'");
        put(Kind.UPSTREAM, "carts", "'nodes':[{'url':'http://10.0.0.7:9000'}],'name':'Körbe'");
        put(Kind.PROXY_PASS, "to-carts", "'upstreamId':'carts','stripPrefix':'/cart'");
        put(
                Kind.ROUTE,
                "cart",
                "'routerId':'shop','path':'/cart/:id/*','methods':['POST'],'proxyPassId':'to-carts',"
                        + "'labels':{'team':'shop'},'plugins':{'cors':{}}");
        put(Kind.ROUTE, "exact", "'routerId':'shop','path':'/cart','proxyPassId':'to-carts','enabled':false");
        put(Kind.ROUTE, "all", "'routerId':'any','path':'/*','proxyPassId':'to-carts','description':'The rest'");
        put(Kind.ROUTE, "numbers", "'routerId':'any','path':'~/n/[0-9]+','proxyPassId':'to-carts'");
        put(Kind.CONSUMER, "ann", "'groups':['gold'],'logins':[{'username':'ann@example.com','password':'x'}]");
    }

    private List<String> found(String query) {
        return index.find(SearchQuery.parse(query), 100).items().stream()
                .map(SearchHit::id)
                .toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    shop.example.com             | shop
                    8080                         | web
                    gzip                         | web
                    plugin:gzip                  | web
                    KÖRBE                        | carts
                    10.0.0.7                     | carts
                    node:http://10.0.0           | carts
                    label:team=shop              | cart
                    team=                        | cart
                    method:post                  | cart
                    state:disabled               | exact
                    the rest                     | all
                    gold                         | ann
                    user:ann@                    | ann
                    uses:carts                   | to-carts
                    uses:shop path:/cart/        | cart
                    cart state:disabled          | exact
                    path:cart                    |
                    nothing-like-it              |
                    uses                         |
                    """)
    void aWordIsFoundInTheValuesOfAnyFieldAndAFieldByItsBeginning(String query, String id) {
        assertThat(found(query)).isEqualTo(id == null ? List.of() : List.of(id));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    /cart                                    | exact,all,cart,to-carts
                    /cart/12                                 | cart,all
                    /CART/12/items                           | cart,all
                    /n/42                                    | numbers,all
                    https://shop.example.com/cart/12?x=1#y   | cart,all
                    shop.example.com/cart/12                 | cart,all
                    a.shop.example.org:8443/cart/12          | cart,all
                    shop.example.org/cart/12                 | all
                    other.example.com/cart/12                | all
                    """)
    void aPathFindsTheRoutesThatTakeItTheMostSpecificFirst(String query, String ids) {
        List<String> routesAndPasses = found(query);
        assertThat(String.join(
                        ",",
                        routesAndPasses.stream().filter(id -> !"web".equals(id)).toList()))
                .isEqualTo(ids);
    }

    private SortedIds sorted(ResourceType<?> type, String order, Set<String> only, int offset, int limit) {
        return index.sorted(type, null, ListOrder.parse(type, order).orElseThrow(), only, Map.of(), offset, limit);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    id         | all,cart,exact,numbers
                    -id        | numbers,exact,cart,all
                    path       | all,exact,cart,numbers
                    -path      | numbers,cart,exact,all
                    routerId   | all,numbers,cart,exact
                    enabled    | exact,all,cart,numbers
                    -priority  | exact,all,cart,numbers
                    name       | all,cart,exact,numbers
                    """)
    void aListIsOrderedByAFieldAndThenById(String order, String ids) {
        put(
                Kind.ROUTE,
                "exact",
                "'routerId':'shop','path':'/cart','proxyPassId':'to-carts','enabled':false,'priority':7");
        assertThat(String.join(
                        ",", sorted(ResourceType.ROUTE, order, Set.of(), 0, 10).ids()))
                .isEqualTo(ids);
    }

    @Test
    void whatHasNoValueComesLastInEitherDirection() {
        assertThat(sorted(ResourceType.ROUTER, "hosts", Set.of(), 0, 10).ids()).containsExactly("shop", "any");
        assertThat(sorted(ResourceType.ROUTER, "-hosts", Set.of(), 0, 10).ids()).containsExactly("shop", "any");
    }

    @Test
    void aPageOfAnOrderedListSaysHowLongTheListIs() {
        assertThat(sorted(ResourceType.ROUTE, "id", Set.of(), 1, 2))
                .isEqualTo(new SortedIds(List.of("cart", "exact"), 4));
        assertThat(sorted(ResourceType.ROUTE, "id", Set.of(), 9, 2)).isEqualTo(new SortedIds(List.of(), 4));
        assertThat(sorted(ResourceType.ROUTE, "-id", Set.of("cart", "all", "gone"), 0, 9))
                .isEqualTo(new SortedIds(List.of("cart", "all"), 2));
        assertThat(index.sorted(
                                ResourceType.ROUTE,
                                SearchQuery.parse("state:enabled"),
                                new ListOrder("path", true),
                                Set.of(),
                                Map.of("routerId", "any"),
                                0,
                                9)
                        .ids())
                .containsExactly("numbers", "all");
    }

    @Test
    void aKindIsOrderedByItsOwnFieldsAlone() {
        assertThat(ListOrder.parse(ResourceType.ROUTE, "port")).isEmpty();
        assertThat(ListOrder.parse(ResourceType.PROXY_SERVER, "-port")).contains(new ListOrder("port", true));
        put(Kind.CERTIFICATE, "wildcard", "'chain':'-','privateKey':'-'");
        for (ResourceType<?> type : ResourceType.ALL) {
            for (String field : ListOrder.fields(type)) {
                assertThat(sorted(type, field, Set.of(), 0, 10).ids()).as(field).isNotEmpty();
            }
        }
    }

    @Test
    void whereTheWordsWereFoundIsSaid() {
        List<SearchHit> hits = index.find(SearchQuery.parse("shop.example.com/cart/12 team"), 10)
                .items();
        assertThat(hits).hasSize(1);
        assertThat(hits.getFirst().found().stream().map(match -> match.field() + " " + match.value()))
                .containsExactly("PATH /cart/:id/*", "HOST shop.example.com", "LABEL team=shop");
        assertThat(hits.getFirst().enabled()).isTrue();
        assertThat(index.find(SearchQuery.parse("carts"), 10).items())
                .filteredOn(hit -> hit.kind() == Kind.UPSTREAM)
                .allMatch(hit -> hit.enabled() == null && "Körbe".equals(hit.name()));
    }

    @Test
    void theExactComesBeforeWhatBeginsSoAndThatBeforeTheRest() {
        for (String id : List.of("b-pay", "pay", "payments", "a-pay")) {
            put(Kind.UPSTREAM, id, "'nodes':[]");
        }
        assertThat(found("pay")).containsExactly("pay", "payments", "a-pay", "b-pay");
        assertThat(index.find(SearchQuery.parse("pay"), 2).items()).hasSize(2);
        assertThat(index.find(SearchQuery.parse("pay"), 2).more()).isTrue();
        assertThat(index.find(SearchQuery.parse("pay"), 4).more()).isFalse();
    }

    @Test
    void aListIsPagedInTheOrderOfIdsAndFiltered() {
        SearchQuery query = SearchQuery.parse("/cart/12");
        assertThat(index.ids(ResourceType.ROUTE, query, "", 1, Map.of())).containsExactly("all");
        assertThat(index.ids(ResourceType.ROUTE, query, "all", 5, Map.of())).containsExactly("cart");
        assertThat(index.ids(ResourceType.ROUTE, query, "", 5, Map.of("routerId", "any")))
                .containsExactly("all");
        assertThat(index.ids(ResourceType.PROXY_SERVER, SearchQuery.parse("web"), "", 5, Map.of("protocol", "HTTPS")))
                .isEmpty();
        assertThat(index.ids(ResourceType.PROXY_SERVER, SearchQuery.parse("web"), "", 5, Map.of("protocol", "HTTP")))
                .containsExactly("web");
    }

    @Test
    void afterAnyChangesTheIndexIsThatOfTheState() {
        Random random = new Random(7);
        for (int i = 0; i < 300; i++) {
            String id = "r" + random.nextInt(20);
            if (random.nextInt(3) == 0) {
                remove(Kind.ROUTE, id);
            } else {
                put(Kind.ROUTE, id, "'routerId':'shop','path':'/p" + random.nextInt(5) + "','proxyPassId':'to-carts'");
            }
            if (random.nextInt(4) == 0) {
                String query = "path:/p" + random.nextInt(5);
                assertThat(index.find(SearchQuery.parse(query), 100))
                        .isEqualTo(new SearchIndex(() -> state).find(SearchQuery.parse(query), 100));
            }
        }
    }

    @Test
    void onlySoManyWordsCount() {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            words.add("cart");
        }
        assertThat(SearchQuery.parse(words.stream().collect(Collectors.joining(" ")))
                        .terms())
                .hasSize(8);
    }
}
