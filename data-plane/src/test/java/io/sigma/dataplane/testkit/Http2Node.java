package io.sigma.dataplane.testkit;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemKeyCertOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A node that speaks HTTP/2, in plaintext or, with a certificate, on TLS. */
public final class Http2Node implements AutoCloseable {

    private final Vertx vertx = Vertx.vertx();
    private final List<HttpConnection> connections = new CopyOnWriteArrayList<>();
    private final HttpServer server;
    private final String scheme;

    private Http2Node(HttpServerOptions options, Handler<HttpServerRequest> handler) {
        this.scheme = options.isSsl() ? "https" : "http";
        this.server = GatewayHarness.await(vertx.createHttpServer(options)
                .connectionHandler(connections::add)
                .requestHandler(handler)
                .listen(0, "127.0.0.1"));
    }

    public static Http2Node start(Handler<HttpServerRequest> handler) {
        return new Http2Node(new HttpServerOptions(), handler);
    }

    /**
     * @param streamsMax requests that a connection may carry at a time
     */
    public static Http2Node start(int streamsMax, Handler<HttpServerRequest> handler) {
        HttpServerOptions options = new HttpServerOptions();
        options.getInitialSettings().setMaxConcurrentStreams(streamsMax);
        return new Http2Node(options, handler);
    }

    public static Http2Node startTls(
            TestTls tls, Path folder, @Nullable HttpVersion only, Handler<HttpServerRequest> handler) throws Exception {
        return new Http2Node(
                new HttpServerOptions()
                        .setSsl(true)
                        .setUseAlpn(true)
                        .setAlpnVersions(
                                only == null ? List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1) : List.of(only))
                        .setKeyCertOptions(new PemKeyCertOptions()
                                .setCertPath(tls.writeCertificate(folder.resolve("node-cert.pem"))
                                        .toString())
                                .setKeyPath(tls.writeKey(folder.resolve("node-key.pem"))
                                        .toString())),
                handler);
    }

    public String url() {
        return scheme + "://127.0.0.1:" + server.actualPort();
    }

    /** Returns every connection that was ever opened. */
    public List<HttpConnection> connections() {
        return connections;
    }

    @Override
    public void close() {
        GatewayHarness.await(vertx.close());
    }
}
