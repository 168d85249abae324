package io.sigma.controlplane.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.sigma.controlplane.access.Accounts;
import io.sigma.controlplane.access.Principal;
import io.sigma.controlplane.analysis.Analyst;
import io.sigma.controlplane.api.contract.ApiNames;
import io.sigma.controlplane.api.contract.Contract;
import io.sigma.controlplane.api.event.Events;
import io.sigma.controlplane.api.event.RequestStreams;
import io.sigma.controlplane.api.operation.Operations;
import io.sigma.controlplane.api.operation.Services;
import io.sigma.controlplane.api.request.Answer;
import io.sigma.controlplane.api.request.AnswerWriter;
import io.sigma.controlplane.api.request.ApiCall;
import io.sigma.controlplane.api.request.Bodies;
import io.sigma.controlplane.api.request.BodyBudget;
import io.sigma.controlplane.api.request.BodyCollector;
import io.sigma.controlplane.api.request.BodyLimits;
import io.sigma.controlplane.api.request.BodyTypes;
import io.sigma.controlplane.api.request.Client;
import io.sigma.controlplane.api.request.Clients;
import io.sigma.controlplane.api.request.KnownAddresses;
import io.sigma.controlplane.api.request.OperationHandler;
import io.sigma.controlplane.api.request.Parameters;
import io.sigma.controlplane.api.request.RequestPaths;
import io.sigma.controlplane.api.request.TreeBudget;
import io.sigma.controlplane.events.EventLog;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.fleet.Fleet;
import io.sigma.controlplane.port.FailureLimiter;
import io.sigma.controlplane.port.GuardedPort;
import io.sigma.controlplane.port.PortLimits;
import io.sigma.controlplane.resource.ResourceService;
import io.sigma.controlplane.resource.StateService;
import io.sigma.controlplane.settings.ControlPlaneSettings;
import io.sigma.controlplane.store.Store;
import io.sigma.controlplane.store.database.Database;
import io.sigma.controlplane.tail.StoredTenures;
import io.sigma.model.Role;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.openapi.router.OpenAPIRoute;
import io.vertx.ext.web.openapi.router.RouterBuilder;
import io.vertx.openapi.contract.Operation;
import io.vertx.openapi.contract.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Serves the contract's operations under {@value ApiNames#BASE_PATH} and the dashboard everywhere else. A request
 * passes, in this order: origin, credentials, path and method, role, media type, size, parameters, body, operation.
 * Deployed as a verticle on virtual threads.
 */
public final class AdminServer extends VerticleBase {

    private static final String EVENTS = "streamEvents";
    private static final String REQUESTS = "streamRequests";
    private static final int HEAD_BYTES_MAX = 16 * 1024;

    /** As long as all parameters of an operation together may be when each of their characters has to be escaped. */
    private static final int LINE_BYTES_MAX = 64 * 1024;

    private static final Duration HEAD_TIME = Duration.ofSeconds(10);
    private static final Duration IDLE_TIME = Duration.ofSeconds(60);

    /** The time of a write for the database and for its findings, beside the waits for gateways and other writers. */
    private static final Duration WRITE_REST = Duration.ofSeconds(22);

    /** The time that running requests have to end when the server stops, in seconds. */
    private static final int STOP_SECONDS_MAX = 5;

    private static final int BYTES_PARSED_AT_ONCE = 64 * 1024;
    private static final long STILL_ALLOWED_MILLIS = 15_000;

    private final ControlPlaneSettings settings;
    private final Contract contract;
    private final Store store;
    private final Fleet fleet;
    private final EventLog log;
    private final Services services;
    private final Clients clients;
    private final KnownAddresses known = new KnownAddresses();
    private final Access access;
    private final GuardedPort port;
    private final BodyBudget bodies;
    private final TreeBudget trees = new TreeBudget(BodyLimits.bytesOfTrees());

    // Set by start(), on the verticle's context.
    private @Nullable HttpServer server;
    private @Nullable Events events;
    private @Nullable RequestStreams requests;
    private @Nullable AuditBacklog backlog;

    /** @param settings with an admin token */
    public AdminServer(
            ControlPlaneSettings settings,
            Contract contract,
            Store store,
            ResourceService resources,
            StateService states,
            Fleet fleet,
            Analyst analyst,
            EventLog log,
            Accounts accounts,
            String version) {
        this.settings = settings;
        this.contract = contract;
        this.store = store;
        this.fleet = fleet;
        this.log = log;
        this.services = new Services(
                settings,
                contract,
                store,
                resources,
                states,
                fleet,
                analyst,
                accounts,
                new StoredTenures(store.database(), store.log()),
                version);
        FailureLimiter wrongTokens = new FailureLimiter(settings.logins().loginFailuresPerMinute(), System::nanoTime);
        this.clients = new Clients(settings.admin().adminTrustedProxies());
        this.access = new Access(
                Objects.requireNonNull(settings.adminToken(), "adminToken"), accounts, wrongTokens, clients, known);
        this.port = new GuardedPort(new PortLimits(
                "port of the admin API",
                settings.admin().adminConnectionsMax(),
                settings.admin().adminConnectionsOfAddressMax(),
                clients.trusted(),
                HEAD_TIME,
                IDLE_TIME));
        this.bodies = new BodyBudget(BodyLimits.bytesOfAll(settings));
    }

    @Override
    public Future<?> start() {
        AuditBacklog records = new AuditBacklog(vertx, store.audit()::append, InstantSource.system());
        backlog = records;
        Refusals refusals = new Refusals(records, clients, settings.history().auditKeptMax(), System::nanoTime);
        Map<String, OperationHandler> handlers = Operations.of(vertx, services, known);
        events = new Events(
                vertx, store.revisions(), fleet, log, settings.admin().eventClientsMax());
        requests = new RequestStreams(vertx, fleet, services.tenures());

        Router root = Router.router(vertx);
        root.route().handler(this::begin);
        root.route(ApiNames.BASE_PATH + "/*").failureHandler(refusals::answer);
        root.route().failureHandler(Problems::answer);
        root.route(ApiNames.BASE_PATH + "/*").handler(this::admit);
        root.route(ApiNames.BASE_PATH + "/*").subRouter(operations(handlers));
        Dashboard dashboard = new Dashboard();
        root.route().handler(dashboard::handle);

        HttpServerOptions options = new HttpServerOptions()
                .setHost(settings.admin().adminHost())
                .setPort(settings.admin().adminPort())
                .setMaxHeaderSize(HEAD_BYTES_MAX)
                .setMaxInitialLineLength(LINE_BYTES_MAX)
                .setIdleTimeout(idleSeconds(settings))
                .setUseAlpn(false)
                .setHttp2ClearTextEnabled(false);
        AdminTls tls = AdminTls.of(settings, () -> store.log().current().state());
        HttpServer opened = port.server(vertx, tls == null ? options : tls.on(options))
                .requestHandler(request -> {
                    // Here, because the router answers some by itself.
                    request.response().putHeader(HttpHeaders.DATE, ResponseDate.now());
                    root.handle(request);
                })
                .invalidRequestHandler(AdminServer::refuse);
        server = opened;
        return opened.listen().onSuccess(listening -> {
            if (tls != null) {
                tls.follow(vertx, opened);
            }
        });
    }

    /** Answers what is not HTTP. */
    private static void refuse(HttpServerRequest request) {
        request.response().putHeader(HttpHeaders.DATE, ResponseDate.now());
        HttpServerRequest.DEFAULT_INVALID_REQUEST_HANDLER.handle(request);
    }

    /**
     * Refuses what is no path of ours before anything looks into it, and who sends requests without reading the
     * answers.
     */
    private void begin(RoutingContext context) {
        HttpServerRequest request = context.request();
        HttpConnection connection = request.connection();
        if (context.response().writeQueueFull()) {
            connection.close();
            return;
        }
        port.begun(connection);
        context.addEndHandler(ended -> port.ended(connection));
        int hosts = request.headers().getAll(HttpHeaders.HOST).size();
        if (hosts > 1) {
            // RFC 9112 §3.2; the router refuses those without one.
            Problems.send(context, new Failure.BadRequest("Host: " + hosts + " (expected: one)"));
            return;
        }
        String path = request.path() == null ? "" : request.path();
        RequestPaths.checkLength(path);
        if (!RequestPaths.isEscapedRight(path)) {
            // Answered here: to find the route of a failure, the path would be decoded again.
            Problems.send(context, new Failure.BadRequest("path: % without two hexadecimal digits"));
            return;
        }
        context.next();
    }

    /**
     * Returns after how many seconds without a byte a connection is closed. A request that is under way counts as idle
     * too: so it is more than the longest write takes.
     */
    static int idleSeconds(ControlPlaneSettings settings) {
        return (int) Operations.ANSWERS_WAIT_MAX
                .plusMillis(settings.gateways().gatewayVoteMillis())
                .plusMillis(2L * Database.turnMillis(settings))
                .plus(WRITE_REST)
                .toSeconds();
    }

    /** Returns the port that the server listens on, once it is deployed. */
    public int port() {
        return Objects.requireNonNull(server, "deployed").actualPort();
    }

    @Override
    public Future<?> stop() {
        if (events != null) {
            events.close();
        }
        if (requests != null) {
            requests.close();
        }
        AuditBacklog records = backlog;
        Future<Void> answered =
                server == null ? Future.succeededFuture() : server.shutdown(STOP_SECONDS_MAX, TimeUnit.SECONDS);
        return records == null ? answered : answered.onComplete(ended -> records.close());
    }

    /** Keeps the body until somebody takes it: meanwhile the database may be waited for. */
    private void admit(RoutingContext context) {
        context.request().pause();
        try {
            admitHead(context);
        } finally {
            context.request().resume();
        }
    }

    /** Everything that can be said before the body is read. */
    private void admitHead(RoutingContext context) {
        HttpServerResponse response = context.response();
        response.putHeader("X-Content-Type-Options", "nosniff").putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        Access.refuseForeignWrites(context.request());
        String path = context.normalizedPath().substring(ApiNames.BASE_PATH.length());
        Path found = path.isEmpty() ? null : contract.openApi().findPath(path);
        Operation operation = found == null
                ? null
                : contract.openApi()
                        .findOperation(
                                path, AnswerWriter.asked(context.request().method()));
        if (operation != null) {
            context.put(ApiNames.OPERATION, operation);
        }
        // The one place where credentials and roles are looked at; a path that leads nowhere needs credentials too.
        Optional<Role> least = operation == null ? Optional.of(Role.VIEWER) : contract.role(operation);
        least.ifPresent(role -> {
            Principal principal = access.authenticate(context.request());
            context.put(ApiNames.PRINCIPAL, principal);
            port.known(context.request().connection());
            Access.authorize(principal, role, operation == null ? null : operation.getOperationId());
        });
        if (found == null) {
            throw new FailureException(new Failure.NotFound("Nothing exists at this path."));
        }
        if (operation == null) {
            String allow = found.getOperations().stream()
                    .map(any -> any.getHttpMethod().name())
                    .flatMap(any -> any.equals("GET") ? Stream.of(any, "HEAD") : Stream.of(any))
                    .sorted()
                    .collect(Collectors.joining(", "));
            throw new FailureException(
                    new Failure.MethodNotAllowed(context.request().method().name(), allow));
        }
        if (operation.getRequestBody() != null) {
            BodyTypes.require(operation.getOperationId(), context.request().headers());
        }
        context.next();
    }

    private Router operations(Map<String, OperationHandler> handlers) {
        RouterBuilder builder = RouterBuilder.create(vertx, contract.openApi());
        for (OpenAPIRoute route : builder.getRoutes()) {
            Operation operation = route.getOperation();
            String id = operation.getOperationId();
            route.setDoSecurity(false).setDoValidation(false);
            if (operation.getRequestBody() != null) {
                int limit = BodyLimits.bytesMax(settings, id);
                route.addHandler(BodyCollector.of(vertx, limit, bodies));
            }
            if (id.equals(EVENTS) || id.equals(REQUESTS)) {
                route.addHandler(context -> stream(context, operation, id));
            } else {
                OperationHandler handler = Objects.requireNonNull(handlers.get(id), id);
                route.addHandler(context -> answer(context, operation, handler));
            }
        }
        Router router = builder.createRouter();
        router.getRoutes().stream()
                .filter(route -> route.methods() != null && route.methods().contains(HttpMethod.GET))
                .forEach(route -> route.method(HttpMethod.HEAD));
        return router;
    }

    private void stream(RoutingContext context, Operation operation, String id) {
        Parameters parameters = Parameters.read(contract, operation, context);
        if (AnswerWriter.isHead(context)) {
            context.response()
                    .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
                    .end();
            return;
        }
        if (id.equals(EVENTS)) {
            Objects.requireNonNull(events).open(context, parameters.get(Events.LAST_EVENT_ID));
        } else {
            Objects.requireNonNull(requests).open(context, parameters.values());
        }
        endWithCredentials(context);
    }

    /** A stream that was opened by a session or a token does not outlive it. */
    private void endWithCredentials(RoutingContext context) {
        HttpServerResponse response = context.response();
        vertx.setPeriodic(STILL_ALLOWED_MILLIS, timer -> {
            if (response.closed() || response.ended()) {
                vertx.cancelTimer(timer);
            } else if (!access.isAlive(context.request(), context.get(ApiNames.PRINCIPAL))) {
                vertx.cancelTimer(timer);
                context.request().connection().close();
            }
        });
    }

    private void answer(RoutingContext context, Operation operation, OperationHandler handler) {
        Parameters parameters = Parameters.read(contract, operation, context);
        Client client = clients.of(context.request());
        try (TreeBudget.Share tree = trees.begin()) {
            JsonNode body = operation.getRequestBody() == null ? MissingNode.getInstance() : body(context, tree);
            Answer answer = handler.handle(new ApiCall(
                    operation.getOperationId(),
                    parameters,
                    body,
                    client,
                    context.get(ApiNames.PRINCIPAL),
                    context.request().getHeader(HttpHeaders.ACCEPT)));
            AnswerWriter.write(context, answer);
        }
    }

    /** A large body is parsed elsewhere, so that other requests go on meanwhile. */
    private JsonNode body(RoutingContext context, TreeBudget.Share tree) {
        Buffer buffer = BodyCollector.body(context);
        if (buffer == null || buffer.length() == 0) {
            throw new FailureException(new Failure.BadRequest("The body is absent (expected: JSON)."));
        }
        byte[] bytes = buffer.getBytes();
        boolean yaml = BodyTypes.isYaml(context.request().getHeader(HttpHeaders.CONTENT_TYPE));
        return bytes.length > BYTES_PARSED_AT_ONCE
                ? vertx.executeBlocking(() -> Bodies.parse(bytes, yaml, tree)).await()
                : Bodies.parse(bytes, yaml, tree);
    }
}
