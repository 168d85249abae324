package io.sigma.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.json.Json;
import io.sigma.json.JsonPointer;
import io.sigma.model.Certificate;
import io.sigma.model.Consumer;
import io.sigma.model.Kind;
import io.sigma.model.ProxyPass;
import io.sigma.model.ProxyServer;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.model.ServerTls;
import io.sigma.model.SplitTarget;
import io.sigma.model.Upstream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a kind of resource, for code that treats all kinds alike. Thread-safe.
 *
 * @param <T> the model record
 */
public final class ResourceType<T> {

    /**
     * A field that refers to other resources.
     *
     * @param field by which lists are filtered and which the store has a column for
     * @param many whether it may refer to several at once, so that the column holds an array
     * @param targets returns what a resource refers to, in order
     */
    public record Reference<T>(String field, Kind target, boolean many, Function<T, List<Target>> targets) {

        /** Returns the reference by a field that holds the id of one resource, or none. */
        static <T> Reference<T> one(String field, Kind target, Function<T, @Nullable String> id) {
            return new Reference<>(field, target, false, value -> {
                String targetId = id.apply(value);
                return targetId == null ? List.of() : List.of(new Target(JsonPointer.of(field), targetId));
            });
        }
    }

    /**
     * A resource that another one refers to.
     *
     * @param pointer to where its id stands
     */
    public record Target(String pointer, String id) {}

    public static final ResourceType<ProxyServer> PROXY_SERVER = new ResourceType<>(
            Kind.PROXY_SERVER,
            "proxy server",
            "proxy-servers",
            "proxyServers",
            ProxyServer.class,
            ProxyServer::id,
            (value, id) -> value.toBuilder().id(id).build(),
            ProxyServer::name,
            ProxyServer::description,
            ProxyServer::labels,
            List.of(new Reference<>("certificates", Kind.CERTIFICATE, true, ResourceType::certificates)));
    public static final ResourceType<Certificate> CERTIFICATE = new ResourceType<>(
            Kind.CERTIFICATE,
            "certificate",
            "certificates",
            "certificates",
            Certificate.class,
            Certificate::id,
            (value, id) -> value.toBuilder().id(id).build(),
            Certificate::name,
            Certificate::description,
            Certificate::labels,
            List.of());
    public static final ResourceType<Upstream> UPSTREAM = new ResourceType<>(
            Kind.UPSTREAM,
            "upstream",
            "upstreams",
            "upstreams",
            Upstream.class,
            Upstream::id,
            (value, id) -> value.toBuilder().id(id).build(),
            Upstream::name,
            Upstream::description,
            Upstream::labels,
            List.of(new Reference<>("certificateId", Kind.CERTIFICATE, false, ResourceType::shown)));
    public static final ResourceType<ProxyPass> PROXY_PASS = new ResourceType<>(
            Kind.PROXY_PASS,
            "proxy pass",
            "proxy-passes",
            "proxyPasses",
            ProxyPass.class,
            ProxyPass::id,
            (value, id) -> value.toBuilder().id(id).build(),
            ProxyPass::name,
            ProxyPass::description,
            ProxyPass::labels,
            List.of(new Reference<>("upstreamId", Kind.UPSTREAM, true, ResourceType::upstreams)));
    public static final ResourceType<Router> ROUTER = new ResourceType<>(
            Kind.ROUTER,
            "router",
            "routers",
            "routers",
            Router.class,
            Router::id,
            (value, id) -> value.toBuilder().id(id).build(),
            Router::name,
            Router::description,
            Router::labels,
            List.of(
                    Reference.one("proxyServerId", Kind.PROXY_SERVER, Router::proxyServerId),
                    Reference.one("proxyPassId", Kind.PROXY_PASS, Router::proxyPassId)));
    public static final ResourceType<Route> ROUTE = new ResourceType<>(
            Kind.ROUTE,
            "route",
            "routes",
            "routes",
            Route.class,
            Route::id,
            (value, id) -> value.toBuilder().id(id).build(),
            Route::name,
            Route::description,
            Route::labels,
            List.of(
                    Reference.one("routerId", Kind.ROUTER, Route::routerId),
                    Reference.one("proxyPassId", Kind.PROXY_PASS, Route::proxyPassId)));

    public static final ResourceType<Consumer> CONSUMER = new ResourceType<>(
            Kind.CONSUMER,
            "consumer",
            "consumers",
            "consumers",
            Consumer.class,
            Consumer::id,
            (value, id) -> value.toBuilder().id(id).build(),
            Consumer::name,
            Consumer::description,
            Consumer::labels,
            List.of());

    /** All types, each after those that it refers to. */
    public static final List<ResourceType<?>> ALL =
            List.of(CERTIFICATE, PROXY_SERVER, UPSTREAM, PROXY_PASS, ROUTER, ROUTE, CONSUMER);

    private final Kind kind;
    private final String label;
    private final String path;
    private final String field;
    private final Class<T> model;
    private final Function<T, @Nullable String> id;
    private final BiFunction<T, String, T> withId;
    private final Function<T, @Nullable String> name;
    private final Function<T, @Nullable String> description;
    private final Function<T, Map<String, String>> labels;
    private final List<Reference<T>> references;

    private ResourceType(
            Kind kind,
            String label,
            String path,
            String field,
            Class<T> model,
            Function<T, @Nullable String> id,
            BiFunction<T, String, T> withId,
            Function<T, @Nullable String> name,
            Function<T, @Nullable String> description,
            Function<T, Map<String, String>> labels,
            List<Reference<T>> references) {
        this.kind = kind;
        this.label = label;
        this.path = path;
        this.field = field;
        this.model = model;
        this.id = id;
        this.withId = withId;
        this.name = name;
        this.description = description;
        this.labels = labels;
        this.references = references;
    }

    private static List<Target> certificates(ProxyServer server) {
        List<Target> targets = new ArrayList<>();
        ServerTls tls = server.tls();
        List<String> ids = tls == null ? List.of() : tls.certificates();
        for (int i = 0; i < ids.size(); i++) {
            targets.add(new Target(JsonPointer.of("tls", "certificates", i), ids.get(i)));
        }
        if (tls != null && tls.defaultCertificateId() != null) {
            targets.add(new Target(JsonPointer.of("tls", "defaultCertificateId"), tls.defaultCertificateId()));
        }
        return targets;
    }

    private static List<Target> shown(Upstream upstream) {
        String id = upstream.tls().certificateId();
        return id == null ? List.of() : List.of(new Target(JsonPointer.of("tls", "certificateId"), id));
    }

    private static List<Target> upstreams(ProxyPass pass) {
        List<Target> targets = new ArrayList<>();
        if (pass.upstreamId() != null) {
            targets.add(new Target(JsonPointer.of("upstreamId"), pass.upstreamId()));
        }
        if (pass.mirror() != null) {
            targets.add(new Target(
                    JsonPointer.of("mirror", "upstreamId"), pass.mirror().upstreamId()));
        }
        List<SplitTarget> split =
                pass.split() == null ? List.of() : pass.split().targets();
        for (int i = 0; i < split.size(); i++) {
            targets.add(new Target(
                    JsonPointer.of("split", "targets", i, "upstreamId"),
                    split.get(i).upstreamId()));
        }
        return targets;
    }

    /** Returns the type of a kind. */
    public static ResourceType<?> of(Kind kind) {
        for (ResourceType<?> type : ALL) {
            if (type.kind == kind) {
                return type;
            }
        }
        throw new IllegalArgumentException("kind: " + kind + " (expected: one of " + ALL + ")");
    }

    public Kind kind() {
        return kind;
    }

    /** Returns what people call it, in the singular: {@code proxy pass}. */
    public String label() {
        return label;
    }

    /** Returns {@link #label()} after its article: {@code an upstream}. */
    public String oneLabel() {
        return ("aeiou".indexOf(label.charAt(0)) < 0 ? "a " : "an ") + label;
    }

    /** Returns its segment in the admin API's paths: {@code proxy-passes}. */
    public String path() {
        return path;
    }

    /** Returns its field in the whole state: {@code proxyPasses}. */
    public String field() {
        return field;
    }

    public Class<T> model() {
        return model;
    }

    /** Returns the id that {@code value} carries, null when it has none yet. */
    public @Nullable String idIn(T value) {
        return id.apply(value);
    }

    /** Returns the id of a stored {@code value}. */
    public String id(T value) {
        return Objects.requireNonNull(id.apply(value), "a stored " + label + " has an id");
    }

    /** Returns {@code value} under another id. */
    public T withId(T value, String newId) {
        return withId.apply(value, newId);
    }

    public @Nullable String name(T value) {
        return name.apply(value);
    }

    public @Nullable String description(T value) {
        return description.apply(value);
    }

    public Map<String, String> labels(T value) {
        return labels.apply(value);
    }

    public List<Reference<T>> references() {
        return references;
    }

    /**
     * Returns {@code node} as a resource.
     *
     * @throws IllegalArgumentException when it does not fit the model
     */
    public T read(JsonNode node) {
        return Json.read(node, model);
    }

    /** Returns {@code value} as this type's record. */
    public T cast(Object value) {
        return model.cast(value);
    }

    @Override
    public String toString() {
        return label;
    }
}
