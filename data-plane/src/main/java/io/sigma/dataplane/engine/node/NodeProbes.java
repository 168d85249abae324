package io.sigma.dataplane.engine.node;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.sigma.dataplane.engine.tls.NodeTls;
import io.sigma.dataplane.engine.tls.TlsEngines;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.health.HealthProber;
import io.sigma.model.HealthCheck;
import io.sigma.model.HealthCheckType;
import io.sigma.model.NodeProtocol;
import io.sigma.model.NodeProxyProtocol;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.SSLEngineOptions;
import io.vertx.core.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks nodes for their health, each time over a new connection. The health checks of upstreams call it through {@code
 * GatewayEngine}. Runs on one event loop.
 */
public final class NodeProbes implements HealthProber {

    private static final int CONNECT_MILLIS_MAX = 60_000;

    /**
     * The text that Netty's native transports put before the system's message, as in {@code finishConnect(..) failed
     * with error(-111): }.
     */
    private static final String SYSTEM_CALL = "(..) failed with error(";

    /** A check waits for its node only. */
    private static final PoolOptions NO_POOL =
            new PoolOptions().setHttp1MaxSize(10_000).setHttp2MaxSize(10_000);

    private final ContextInternal context;
    private final NodeTls tls;
    private final Destinations destinations;
    private final Vertx vertx;
    private final TlsEngines engines;
    private final Clients plain;
    /**
     * The same for nodes with TLS; null until one is checked, because making them loads the TLS engine. Confined to the
     * event loop of {@link #context}.
     */
    private @Nullable Future<Clients> encrypted;

    /**
     * Clients for both versions of HTTP.
     *
     * @param http1Named for nodes whose names are asked for on TLS: left to itself no client asks for one without a dot
     */
    private record Clients(HttpClient http1, HttpClient http2, HttpClient http1Named, HttpClient http2Named) {

        HttpClient of(NodeProtocol protocol, boolean named) {
            return protocol == NodeProtocol.HTTP2 ? (named ? http2Named : http2) : (named ? http1Named : http1);
        }

        void close() {
            List.of(http1, http2, http1Named, http2Named).forEach(HttpClient::close);
        }
    }

    private final NetClient tcp;

    /**
     * @param context on which checks run
     */
    public NodeProbes(
            Vertx vertx, ContextInternal context, NodeTls tls, TlsEngines engines, Destinations destinations) {
        this.context = context;
        this.tls = tls;
        this.destinations = destinations;
        this.vertx = vertx;
        this.engines = engines;
        HttpClientOptions options1 = http1Options();
        HttpClientOptions options2 = http2Options();
        HttpClient http1 = vertx.createHttpClient(options1, NO_POOL);
        HttpClient http2 = vertx.createHttpClient(options2, NO_POOL);
        this.plain = new Clients(http1, http2, http1, http2);
        this.tcp = vertx.createNetClient(new NetClientOptions().setConnectTimeout(CONNECT_MILLIS_MAX));
    }

    private static HttpClientOptions http1Options() {
        return new HttpClientOptions().setKeepAlive(false).setConnectTimeout(CONNECT_MILLIS_MAX);
    }

    private static HttpClientOptions http2Options() {
        return new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false)
                .setUseAlpn(true)
                .setHttp2KeepAliveTimeout(1)
                .setConnectTimeout(CONNECT_MILLIS_MAX);
    }

    private Clients encryptedBy(SSLEngineOptions engine) {
        HttpClientOptions options1 = http1Options().setSslEngineOptions(engine);
        HttpClientOptions options2 = http2Options().setSslEngineOptions(engine);
        return new Clients(
                vertx.createHttpClient(options1, NO_POOL),
                vertx.createHttpClient(options2, NO_POOL),
                vertx.createHttpClient(new HttpClientOptions(options1).setForceSni(true), NO_POOL),
                vertx.createHttpClient(new HttpClientOptions(options2).setForceSni(true), NO_POOL));
    }

    private Future<Clients> encrypted() {
        Future<Clients> known = encrypted;
        if (known == null) {
            known = context.executeBlocking(engines::forNodes).map(this::encryptedBy);
            encrypted = known;
        }
        return known;
    }

    @Override
    public void probe(NodeEndpoint endpoint, HealthCheck check, Consumer<@Nullable String> done) {
        AtomicBoolean told = new AtomicBoolean();
        context.runOnContext(ignored -> {
            Probe probe = new Probe(endpoint, check);
            Future<@Nullable String> result;
            try {
                result = probe.run();
            } catch (RuntimeException | Error e) {
                result = Future.failedFuture(e);
            }
            result.timeout(check.timeoutMillis(), TimeUnit.MILLISECONDS).onComplete(answer -> {
                probe.abandon();
                if (told.compareAndSet(false, true)) {
                    done.accept(answer.succeeded() ? answer.result() : reason(answer.cause(), check));
                }
            });
        });
    }

    private static String reason(Throwable cause, HealthCheck check) {
        if (cause instanceof TimeoutException) {
            return "no answer within " + check.timeoutMillis() + " ms";
        }
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : withoutSystemCall(message);
    }

    private static String withoutSystemCall(String message) {
        int call = message.indexOf(SYSTEM_CALL);
        int words = call < 0 ? -1 : message.indexOf(": ", call);
        return words < 0 ? message : message.substring(words + 2);
    }

    /** A single health check. */
    private final class Probe {

        private final NodeEndpoint endpoint;
        private final HealthCheck check;
        /** Null where Vert.x opens the connection. */
        private final @Nullable HeadedProbe headed;

        private @Nullable HttpClientRequest request;
        private boolean over;

        private Probe(NodeEndpoint endpoint, HealthCheck check) {
            this.endpoint = endpoint;
            this.check = check;
            NodeProxyProtocol version = endpoint.key().proxyProtocol();
            // Another port belongs to another server.
            NodeProxyProtocol sent = check.port() == null ? version : null;
            this.headed = sent == null && check.type() != HealthCheckType.BOLT ? null : new HeadedProbe(context, sent);
        }

        private Future<@Nullable String> run() {
            return switch (check.type()) {
                case HTTP -> http();
                case TCP -> connection();
                case GRPC -> grpc();
                case BOLT -> bolt();
            };
        }

        private int port() {
            Integer other = check.port();
            return other == null ? endpoint.key().port() : other;
        }

        private String host() {
            return endpoint.key().url().host();
        }

        private void abandon() {
            over = true;
            if (request != null) {
                request.reset();
            }
            if (headed != null) {
                headed.end();
            }
        }

        private Future<@Nullable String> connection() {
            if (headed != null) {
                return destinations.of(host(), port()).compose(headed::open).map(opened -> null);
            }
            return destinations
                    .of(host(), port())
                    .compose(server -> tcp.connect(SocketAddress.inetSocketAddress(server)))
                    .compose(socket -> socket.close().transform(closed -> Future.succeededFuture()));
        }

        private Future<HttpClientRequest> begin(NodeProtocol protocol, RequestOptions options) {
            NodeEndpoint.Key key = endpoint.key();
            String name = key.tls() ? key.clientTls().serverName() : null;
            options.setHost(name == null ? host() : name).setPort(port()).setSsl(key.tls());
            if (key.tls()) {
                try {
                    options.setSslOptions(tls.options(new NodeEndpoint.Key(
                            key.upstreamId(), key.url(), key.pool(), key.clientTls(), protocol, null, key.degrade())));
                } catch (IllegalStateException e) {
                    return Future.failedFuture(e);
                }
            }
            boolean named = key.tls() && NodeTls.isServerName(options.getHost());
            Future<Clients> clients = key.tls() ? encrypted() : context.succeededFuture(plain);
            return clients.compose(made -> destinations
                            .of(host(), port())
                            .compose(server -> made.of(protocol, named)
                                    .request(options.setServer(SocketAddress.inetSocketAddress(server)))))
                    .map(begun -> {
                        request = begun;
                        if (over) {
                            begun.reset();
                        }
                        return begun;
                    });
        }

        private Future<@Nullable String> http() {
            RequestOptions options = new RequestOptions()
                    .setMethod(HttpMethod.valueOf(check.method()))
                    .setURI(endpoint.key().url().pathPrefix() + check.path());
            check.headers().forEach(options::putHeader);
            String host = check.host();
            options.putHeader("host", host == null ? endpoint.authority() : host);
            if (!options.getHeaders().contains("user-agent")) {
                options.putHeader("user-agent", "sigma-health-check");
            }
            boolean only2 = endpoint.key().protocol() == NodeProtocol.HTTP2;
            if (headed != null) {
                return ask(headed, only2, options, Unpooled.EMPTY_BUFFER)
                        .map(answer -> isExpected(answer.status(), check.expectedStatuses())
                                ? missing(answer.body())
                                : "status " + answer.status());
            }
            return begin(only2 ? NodeProtocol.HTTP2 : NodeProtocol.HTTP1, options)
                    .compose(HttpClientRequest::send)
                    .compose(this::judge);
        }

        private Future<@Nullable String> judge(HttpClientResponse response) {
            if (!isExpected(response.statusCode(), check.expectedStatuses())) {
                return Future.succeededFuture("status " + response.statusCode());
            }
            return check.bodyContains() == null
                    ? Future.succeededFuture()
                    : body(response).map(this::missing);
        }

        /** Returns what is wrong with a body; null for nothing. */
        private @Nullable String missing(Buffer body) {
            String text = check.bodyContains();
            return text == null || body.toString(StandardCharsets.UTF_8).contains(text)
                    ? null
                    : "the body does not contain \"" + text + "\"";
        }

        /** Asks over a connection that begins with a PROXY header. */
        private Future<ProbeAnswer> ask(HeadedProbe probe, boolean http2, RequestOptions options, ByteBuf body) {
            NodeEndpoint.Key key = endpoint.key();
            FullHttpRequest made = new DefaultFullHttpRequest(
                    io.netty.handler.codec.http.HttpVersion.HTTP_1_1,
                    io.netty.handler.codec.http.HttpMethod.valueOf(
                            options.getMethod().name()),
                    options.getURI(),
                    body);
            options.getHeaders().forEach((name, value) -> made.headers().add(name, value));
            if (!http2) {
                made.headers().set("connection", "close");
            }
            return encryption(key, http2)
                    .compose(encryption -> destinations
                            .of(host(), port())
                            .compose(server -> probe.ask(server, encryption, http2, made)));
        }

        private Future<HeadedProbe.@Nullable Encryption> encryption(NodeEndpoint.Key key, boolean http2) {
            if (!key.tls()) {
                return context.succeededFuture();
            }
            String name = key.clientTls().serverName();
            List<String> names = http2 ? List.of(ApplicationProtocolNames.HTTP_2) : List.of();
            return Future.fromCompletionStage(tls.context(key.clientTls(), names), context)
                    .map(made -> new HeadedProbe.Encryption(
                            made,
                            name == null ? host() : name,
                            port(),
                            key.clientTls().verify()));
        }

        private Future<Buffer> body(HttpClientResponse response) {
            Buffer body = Buffer.buffer();
            return Future.future(promise -> {
                response.exceptionHandler(promise::tryFail);
                response.endHandler(ended -> promise.tryComplete(body));
                response.handler(data -> {
                    if (body.length() < ProbeAnswer.BODY_BYTES_MAX) {
                        body.appendBuffer(data, 0, Math.min(data.length(), ProbeAnswer.BODY_BYTES_MAX - body.length()));
                    } else {
                        promise.tryComplete(body);
                    }
                });
            });
        }

        private Future<@Nullable String> bolt() {
            HeadedProbe probe = Objects.requireNonNull(headed);
            Promise<@Nullable String> promise = context.promise();
            encryption(endpoint.key(), false)
                    .compose(encryption ->
                            destinations.of(host(), port()).compose(server -> probe.open(server, encryption)))
                    .onComplete(ready -> BoltHealth.ask(ready, promise), promise::tryFail);
            return promise.future();
        }

        private Future<@Nullable String> grpc() {
            RequestOptions options = new RequestOptions()
                    .setMethod(HttpMethod.POST)
                    .setURI("/grpc.health.v1.Health/Check")
                    .putHeader("content-type", "application/grpc")
                    .putHeader("te", "trailers")
                    .putHeader("user-agent", "sigma-health-check");
            if (headed != null) {
                options.putHeader("host", endpoint.authority());
                return ask(
                                headed,
                                true,
                                options,
                                Unpooled.wrappedBuffer(
                                        GrpcHealth.request(check.grpcService()).getBytes()))
                        .map(answer -> GrpcHealth.judge(answer.status(), answer.grpcStatus(), answer.body()));
            }
            return begin(NodeProtocol.HTTP2, options)
                    .compose(begun -> begun.send(GrpcHealth.request(check.grpcService())))
                    .compose(response -> body(response).map(body -> GrpcHealth.judge(response, body)));
        }
    }

    static boolean isExpected(int status, List<String> expected) {
        if (expected.isEmpty()) {
            return status >= 200 && status < 400;
        }
        String code = Integer.toString(status);
        return expected.contains(code) || expected.contains(code.charAt(0) + "xx");
    }

    public void close() {
        plain.close();
        context.runOnContext(ignored -> {
            if (encrypted != null) {
                encrypted.onSuccess(Clients::close);
            }
        });
        tcp.close();
    }
}
