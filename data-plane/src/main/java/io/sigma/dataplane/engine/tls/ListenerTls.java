package io.sigma.dataplane.engine.tls;

import io.netty.channel.Channel;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.sigma.dataplane.engine.TlsMaterial;
import io.sigma.model.ClientAuth;
import io.sigma.model.ServerHttp2;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.spi.tls.SslContextFactory;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * TLS of one listener. {@code LoopListener} asks it for the handler of each connection. Certificates change under the
 * context; only another policy needs a new one. Thread-safe.
 */
public final class ListenerTls {

    /** RFC 7301 §6; clients of HTTP/1.0 offer it alone. */
    private static final String HTTP_1_0 = "http/1.0";

    private static final String[] NEWEST = {"TLSv1.3"};
    static final String[] BOTH = {"TLSv1.2", "TLSv1.3"};

    private final Vertx vertx;
    private final SniKeys keys;
    private final TlsEngines engines;
    private volatile Agreed agreed;

    /**
     * The TLS of new connections.
     *
     * @param names the protocols for ALPN, the best first
     */
    private record Agreed(TlsMaterial material, List<String> names, SslContext context) {}

    private ListenerTls(Vertx vertx, TlsMaterial material, @Nullable ServerHttp2 http2, TlsEngines engines)
            throws GeneralSecurityException {
        this.vertx = vertx;
        this.engines = engines;
        this.keys = new SniKeys(material);
        List<String> names = names(http2);
        this.agreed = new Agreed(material, names, context(material, names));
    }

    /**
     * Makes it, off the event loops.
     *
     * @param http2 null where no HTTP is spoken, and nothing is agreed on by ALPN
     * @return fails with {@link GeneralSecurityException} when it cannot be made
     */
    public static Future<ListenerTls> create(
            Vertx vertx, TlsMaterial material, @Nullable ServerHttp2 http2, TlsEngines engines) {
        return vertx.executeBlocking(() -> new ListenerTls(vertx, material, http2, engines), false);
    }

    /**
     * Makes it and lets go of it. Blocks.
     *
     * @throws GeneralSecurityException when it cannot be made
     */
    public static void check(Vertx vertx, TlsMaterial material, @Nullable ServerHttp2 http2, TlsEngines engines)
            throws GeneralSecurityException {
        ReferenceCountUtil.release(new ListenerTls(vertx, material, http2, engines).agreed.context);
    }

    private static List<String> names(@Nullable ServerHttp2 http2) {
        if (http2 == null) {
            return List.of();
        }
        if (http2.only()) {
            return List.of(ApplicationProtocolNames.HTTP_2);
        }
        return http2.enabled()
                ? List.of(ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1, HTTP_1_0)
                : List.of(ApplicationProtocolNames.HTTP_1_1, HTTP_1_0);
    }

    public SniKeys keys() {
        return keys;
    }

    private SslContext context(TlsMaterial material, List<String> names) throws GeneralSecurityException {
        try {
            SslContextFactory factory = engines.forListener().sslContextFactory();
            factory.useAlpn(!names.isEmpty())
                    .forClient(false)
                    .clientAuth(
                            switch (material.clientAuth()) {
                                case NONE -> io.netty.handler.ssl.ClientAuth.NONE;
                                case OPTIONAL -> io.netty.handler.ssl.ClientAuth.OPTIONAL;
                                case REQUIRED -> io.netty.handler.ssl.ClientAuth.REQUIRE;
                            })
                    .enabledCipherSuites(Set.of())
                    .applicationProtocols(names)
                    .keyMananagerFactory(KeyCertOptions.wrap(keys).getKeyManagerFactory(vertx));
            String authorities = material.clientCa();
            if (material.clientAuth() != ClientAuth.NONE && authorities != null) {
                factory.trustManagerFactory(new PemTrustOptions()
                        .addCertValue(Buffer.buffer(authorities))
                        .getTrustManagerFactory(vertx));
            }
            return factory.create();
        } catch (GeneralSecurityException e) {
            throw e;
        } catch (Exception e) {
            throw new GeneralSecurityException(e.getMessage() == null ? e.toString() : e.getMessage(), e);
        }
    }

    /** Returns the keys of tickets, the latest first; none where the JDK encrypts. */
    public List<byte[]> ticketKeys() {
        return agreed.context instanceof OpenSslHolder holder ? holder.ticketKeys() : List.of();
    }

    /** Takes tickets that were made with {@code keys} as well; does nothing where the JDK encrypts. */
    public void ticketKeys(List<byte[]> keys) {
        if (agreed.context instanceof OpenSslHolder holder) {
            holder.ticketKeys(keys);
        }
    }

    /** Has {@code channel} encrypted from now on, and returns what does it. */
    public SslHandler encrypt(Channel channel) {
        Agreed now = agreed;
        InetSocketAddress peer = channel.remoteAddress() instanceof InetSocketAddress known ? known : null;
        SslHandler encryption = peer == null
                ? now.context.newHandler(channel.alloc())
                : now.context.newHandler(channel.alloc(), peer.getHostString(), peer.getPort());
        encryption.setCumulator(TlsPieces.CUMULATOR);
        encryption.engine().setEnabledProtocols(now.material.newestOnly() ? NEWEST : BOTH);
        if (now.context instanceof OpenSslHolder && !now.names.isEmpty()) {
            channel.pipeline().addLast(new OfferedProtocols(now.names));
        }
        channel.pipeline().addLast(encryption);
        return encryption;
    }

    /**
     * Uses something else for new connections.
     *
     * @return fails with {@link GeneralSecurityException} when it cannot be used; all goes on as before then
     */
    public Future<Void> change(TlsMaterial next, @Nullable ServerHttp2 http2) {
        Agreed before = agreed;
        List<String> names = names(http2);
        boolean policy = before.material.newestOnly() != next.newestOnly()
                || before.material.clientAuth() != next.clientAuth()
                || !Objects.equals(before.material.clientCa(), next.clientCa())
                || SniKeys.fitOpenSsl(before.material) != SniKeys.fitOpenSsl(next)
                || !before.names.equals(names);
        keys.expect(next);
        Future<SslContext> made = policy
                ? vertx.executeBlocking(() -> context(next, names), false)
                : Future.succeededFuture(before.context);
        return made.<Void>map(context -> {
                    keys.replace(next);
                    agreed = new Agreed(next, names, context);
                    return null;
                })
                .onFailure(ignored -> keys.expect(before.material));
    }
}
