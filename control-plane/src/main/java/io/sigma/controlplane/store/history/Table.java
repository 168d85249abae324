package io.sigma.controlplane.store.history;

import io.sigma.model.Kind;
import io.sigma.snapshot.ResourceType;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** The statements of one kind's table. Column names come from {@link ResourceType}, never from a request. */
public final class Table {

    private static final Map<Kind, Table> ALL = new EnumMap<>(Kind.class);

    static {
        ResourceType.ALL.forEach(type -> ALL.put(type.kind(), new Table(type)));
    }

    private final String name;
    /** Fields that refer to several resources at once: their columns are arrays. */
    private final Set<String> many;

    private Table(ResourceType<?> type) {
        this.name = type.path().replace('-', '_');
        this.many = type.references().stream()
                .filter(ResourceType.Reference::many)
                .map(ResourceType.Reference::field)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the table of a kind. */
    public static Table of(Kind kind) {
        return Objects.requireNonNull(ALL.get(kind), "every kind has a table");
    }

    /** Returns the column of a field: {@code proxy_server_id} for {@code proxyServerId}. */
    static String column(String field) {
        return field.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    private String select() {
        return "select id, spec::text as spec, revision from " + name;
    }

    /** Parameter: ids. */
    public String selectByIds() {
        return select() + " where id = any($1::text[])";
    }

    /** Parameters: the id after which to begin, and how many. */
    String selectAfter() {
        return select() + " where id > $1::text collate \"C\" order by id limit $2";
    }

    /** Parameters: id of a consumer, groups, and labels as JSON that those which are left out have. */
    String selectAclWithout() {
        String acl = "spec #> '{plugins,acl,";
        return "select id from " + name + " where (" + acl + "allowConsumers}' ? $1 or " + acl
                + "allowGroups}' ?| $2::text[] or " + acl + "denyConsumers}' ? $1 or " + acl
                + "denyGroups}' ?| $2::text[]) and not coalesce(spec -> 'labels' @> $3::text::jsonb, false) limit 1";
    }

    /** Parameters: the id after which to begin, and how many. */
    public String selectContaining(String pattern) {
        return select() + " where spec::text like " + pattern
                + " and id > $1::text collate \"C\" order by id collate \"C\" limit $2";
    }

    /** Parameters: the id, the text that is replaced, and the one that replaces it. */
    public String replaceSpec() {
        return "update " + name + " set spec = $3::text::jsonb where id = $1 and spec = $2::text::jsonb";
    }

    /** Of proxy servers. Parameter: labels as JSON that those which are left out have. */
    String selectPresentersWithout() {
        return "select id from " + name + " where spec -> 'tls' is not null"
                + " and coalesce(jsonb_array_length(spec #> '{tls,certificates}'), 0) = 0 and spec #> '{tls,certPath}' is null"
                + " and not coalesce(spec -> 'labels' @> $1::text::jsonb, false) limit 1";
    }

    /** Of proxy servers. Parameters: id of a certificate, and labels as JSON that those which are left out have. */
    String selectPresentersOfWithout() {
        return "select id from " + name + " where (spec #> '{tls,certificates}' ? $1"
                + " or spec #>> '{tls,defaultCertificateId}' = $1)"
                + " and not coalesce(spec -> 'labels' @> $2::text::jsonb, false) limit 1";
    }

    String selectIds() {
        return "select id from " + name + " where id = any($1::text[])";
    }

    /** Parameters: the id, and how many at most. */
    String selectReferrers(String field) {
        return "select id from " + name + " where " + refersTo(field, 1) + " order by id limit $2";
    }

    /** Parameters: the id after which to begin, how many, then one for each of {@code fields}. */
    String selectPage(List<String> fields) {
        return select() + " where id > $1::text collate \"C\"" + referTo(fields, 3) + " order by id limit $2";
    }

    /**
     * Parameters: the id after which to begin, how many, what the id or name contains, then one for each of
     * {@code fields}. Ids are found in the index that has what is looked at; only the rows of the page are read.
     */
    String selectPageNamed(List<String> fields) {
        return "with page as materialized (select id from " + name
                + " where id > $1::text collate \"C\" and position(lower($3::text) in search) > 0" + referTo(fields, 4)
                + " order by id limit $2) " + select() + " join page using (id) order by id";
    }

    /** @param first number of the parameter of the first field */
    private String referTo(List<String> fields, int first) {
        StringBuilder sql = new StringBuilder();
        for (int i = 0; i < fields.size(); i++) {
            sql.append(" and ").append(refersTo(fields.get(i), i + first));
        }
        return sql.toString();
    }

    /** Parameters: ids, and how many rows at most. Returns what refers, and to which of them. */
    String selectReferring(String field) {
        return many.contains(field)
                ? "select id, target from " + name + " cross join unnest(" + column(field) + ") as target where "
                        + column(field) + " && $1::text[] and target = any($1::text[]) order by id limit $2"
                : "select id, " + column(field) + " as target from " + name + " where " + column(field)
                        + " = any($1::text[]) order by id limit $2";
    }

    private String refersTo(String field, int parameter) {
        // An array is searched by containment, for which it has an index.
        return many.contains(field)
                ? column(field) + " @> array[$" + parameter + "::text]"
                : column(field) + " = $" + parameter;
    }

    /** Parameters: ids, specs, revision, time. */
    public String upsert() {
        return "insert into " + name + " (id, spec, revision, updated_at)"
                + " select row.id, row.spec::jsonb, $3, $4 from unnest($1::text[], $2::text[]) as row (id, spec)"
                + " on conflict (id) do update set spec = excluded.spec, revision = excluded.revision,"
                + " updated_at = excluded.updated_at";
    }

    /** Parameter: ids. */
    public String delete() {
        return "delete from " + name + " where id = any($1::text[])";
    }
}
