package io.sigma.controlplane.store.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.testing.TestControlPlane;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.model.Kind;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** PostgreSQL's plans for pages of a large table. */
final class TableTest {

    private static final int UPSTREAMS = 20_000;

    @RegisterExtension
    final TestControlPlane running = new TestControlPlane();

    @BeforeEach
    void fill() {
        TestDatabase.execute(
                running.database(),
                "insert into upstreams (id, spec, revision, updated_at) select 'shop-' || i, jsonb_build_object('id',"
                        + " 'shop-' || i, 'name', 'Läden im Süden ' || i % 1000, 'nodes', '[]'::jsonb, 'description',"
                        + " repeat('x', 300)), 1, now() from generate_series(1, " + UPSTREAMS + ") as i");
        TestDatabase.execute(running.database(), "vacuum analyze upstreams");
    }

    private List<String> plan(String sql, String... parameters) {
        String bound = sql;
        for (int i = 0; i < parameters.length; i++) {
            bound = bound.replace("$" + (i + 1), parameters[i]);
        }
        return TestDatabase.query(running.database(), "explain (analyze, costs off) " + bound);
    }

    @Test
    void aPageByNameReadsRowsOnlyWhereTheNameFits() {
        Table table = Table.of(Kind.UPSTREAM);
        for (String name : List.of("'shop-19999'", "'SüDEN 77'", "'shop'", "'nothing like it'", "'x'")) {
            List<String> plan = plan(table.selectPageNamed(List.of()), "''", "101", name);
            assertThat(plan)
                    .as("%s", plan)
                    .noneMatch(line -> line.contains("Seq Scan on upstreams"))
                    .noneMatch(line -> line.contains("Index Scan using upstreams_search"))
                    .anyMatch(line -> line.contains("Index Only Scan using upstreams_search"))
                    .anyMatch(line -> line.contains("Heap Fetches: 0"));
        }
    }

    @Test
    void aPageWithoutANameReadsNoMoreThanThePage() {
        List<String> plan = plan(Table.of(Kind.UPSTREAM).selectPage(List.of()), "'shop-5'", "101");
        assertThat(plan)
                .as("%s", plan)
                .noneMatch(line -> line.contains("Seq Scan"))
                .noneMatch(line -> line.contains("Sort"))
                .anyMatch(line -> line.contains("Index Scan using upstreams_pkey"));
    }

    @Test
    void namesAreFoundInAnyCaseAndNotAcrossIdAndName() {
        assertThat(running.client()
                        .get("/upstreams?limit=1000&name=S%C3%BCDEN%20777")
                        .json()
                        .path("items"))
                .hasSize(UPSTREAMS / 1000);
        assertThat(running.client().get("/upstreams?name=SHOP-19999").json().path("items"))
                .hasSize(1);
        assertThat(running.client().get("/upstreams?name=1l%C3%A4den").json().path("items"))
                .isEmpty();
        assertThat(running.client().get("/upstreams?name=25_").json().path("items"))
                .as("no wildcards")
                .isEmpty();
    }
}
