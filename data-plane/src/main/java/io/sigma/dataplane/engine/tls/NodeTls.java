package io.sigma.dataplane.engine.tls;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.NetUtil;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.model.ClientTls;
import io.sigma.model.NodeProtocol;
import io.sigma.value.CertifiedKey;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.spi.tls.SslContextFactory;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * The TLS contexts of connections to nodes. {@code NodeDialer} and {@code NodeProbes} ask it for each connection.
 * Thread-safe.
 */
public final class NodeTls {

    /** Contexts that are kept at most, of those that were wanted last. */
    private static final int CONTEXTS_MAX = 64;

    /**
     * The settings of connections that may resume each other's sessions.
     *
     * @param shown null to show no certificate; each one is one object
     * @param authorities null for those of the platform
     * @param names to agree on by ALPN
     */
    private record ContextKey(
            @Nullable KeyCertOptions shown,
            @Nullable PemTrustOptions authorities,
            boolean verify,
            List<String> names) {}

    private final Vertx vertx;
    private final TlsEngines engines;
    /** Guarded by itself. */
    private final Map<ContextKey, CompletableFuture<SslContext>> contexts =
            new LinkedHashMap<>(CONTEXTS_MAX, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<ContextKey, CompletableFuture<SslContext>> eldest) {
                    return size() > CONTEXTS_MAX;
                }
            };

    private final Function<String, @Nullable CertifiedKey> keys;
    private final Function<String, @Nullable String> files;

    /**
     * The options of each key that is in use. TLS contexts are cached by this object, so no session of one key is
     * resumed under another.
     */
    private final Map<CertifiedKey, KeyCertOptions> shown = Collections.synchronizedMap(new WeakHashMap<>());

    /**
     * @param keys returns the certificate that is shown at present, by id; null when there is none
     * @param files returns what a file of authorities contains, by path; null when it was not read yet
     */
    public NodeTls(
            Vertx vertx,
            TlsEngines engines,
            Function<String, @Nullable CertifiedKey> keys,
            Function<String, @Nullable String> files) {
        this.vertx = vertx;
        this.engines = engines;
        this.files = files;
        this.keys = keys;
    }

    /**
     * Returns what encrypts a connection that is opened now. The parts that nodes share are made once, off the event
     * loops.
     *
     * @param names to agree on by ALPN, the best first; none where nothing is to be agreed on
     * @throws IllegalStateException when the certificate to show is gone, or authorities cannot be read
     */
    public CompletionStage<SslContext> context(ClientTls tls, List<String> names) {
        KeyCertOptions shownKey = tls.certificateId() == null ? null : own(tls.certificateId());
        PemTrustOptions authorities = tls.verify() ? authorities(tls) : null;
        ContextKey key = new ContextKey(shownKey, authorities, tls.verify(), names);
        CompletableFuture<SslContext> made = new CompletableFuture<>();
        CompletableFuture<SslContext> known;
        synchronized (contexts) {
            known = contexts.putIfAbsent(key, made);
        }
        if (known != null) {
            return known;
        }
        vertx.executeBlocking(() -> create(key), false).onComplete(made::complete, cause -> {
            synchronized (contexts) {
                contexts.remove(key, made);
            }
            made.completeExceptionally(cause);
        });
        return made;
    }

    private SslContext create(ContextKey key) throws Exception {
        SslContextFactory factory = engines.forNodes().sslContextFactory();
        factory.useAlpn(!key.names.isEmpty())
                .forClient(true)
                .enabledCipherSuites(Set.of())
                .applicationProtocols(key.names);
        if (key.shown != null) {
            factory.keyMananagerFactory(key.shown.getKeyManagerFactory(vertx));
        }
        if (!key.verify) {
            factory.trustManagerFactory(InsecureTrustManagerFactory.INSTANCE);
        } else {
            factory.trustManagerFactory(new NodeTrust(key.authorities).getTrustManagerFactory(vertx));
        }
        return factory.create();
    }

    /** Returns the name that is asked for and checked on TLS. */
    public static String peerName(NodeEndpoint.Key key) {
        String name = key.clientTls().serverName();
        return name == null ? key.url().host() : name;
    }

    /**
     * Returns what encrypts {@code channel}.
     *
     * @param name that is asked for and checked
     */
    public static SslHandler handler(SslContext context, Channel channel, String name, int port, boolean verify) {
        SslHandler encryption = context.newHandler(channel.alloc(), name, port);
        encryption.setCumulator(TlsPieces.CUMULATOR);
        SSLEngine engine = encryption.engine();
        engine.setEnabledProtocols(ListenerTls.BOTH);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm(verify ? "HTTPS" : "");
        SNIServerName asked = serverName(name);
        if (asked != null) {
            // Left to itself no engine asks for a host without a dot, such as one of docker compose.
            parameters.setServerNames(List.of(asked));
        }
        engine.setSSLParameters(parameters);
        return encryption;
    }

    /** Returns whether {@code name} can be asked for as it is. */
    public static boolean isServerName(String name) {
        return !name.endsWith(".") && serverName(name) != null;
    }

    /**
     * Returns what is asked for (RFC 6066 §3): the name without the dot of the root; null for an address, and for what
     * no host is called, such as a name with an underscore.
     */
    private static @Nullable SNIServerName serverName(String name) {
        if (NetUtil.isValidIpV4Address(name) || NetUtil.isValidIpV6Address(name)) {
            return null;
        }
        try {
            return new SNIHostName(name.endsWith(".") ? name.substring(0, name.length() - 1) : name);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /**
     * Returns how a connection that is opened now is encrypted.
     *
     * @throws IllegalStateException when the certificate to show is gone, or authorities cannot be read
     */
    public ClientSSLOptions options(NodeEndpoint.Key key) {
        ClientTls tls = key.clientTls();
        boolean verify = tls.verify();
        ClientSSLOptions options =
                new ClientSSLOptions().setTrustAll(!verify).setHostnameVerificationAlgorithm(verify ? "HTTPS" : "");
        if (key.protocol() != NodeProtocol.HTTP1) {
            options.setUseAlpn(true)
                    .setApplicationLayerProtocols(
                            key.protocol() == NodeProtocol.HTTP2 ? List.of("h2") : List.of("h2", "http/1.1"));
        }
        if (tls.certificateId() != null) {
            options.setKeyCertOptions(own(tls.certificateId()));
        }
        if (verify) {
            options.setTrustOptions(new NodeTrust(authorities(tls)));
        }
        return options;
    }

    private KeyCertOptions own(String id) {
        CertifiedKey key = keys.apply(id);
        if (key == null) {
            throw new IllegalStateException("the certificate \"" + id + "\" is gone");
        }
        return shown.computeIfAbsent(key, absent -> KeyCertOptions.wrap(new ShownKey(absent.chain(), absent.key())));
    }

    /** Returns the authorities that are configured; null for those of the platform. */
    private @Nullable PemTrustOptions authorities(ClientTls tls) {
        if (tls.caPath() == null && tls.ca() == null) {
            return null;
        }
        PemTrustOptions trust = new PemTrustOptions();
        String path = tls.caPath();
        String read = path == null ? null : files.apply(path);
        if (read != null) {
            trust.addCertValue(Buffer.buffer(read));
        } else if (path != null) {
            throw new IllegalStateException("caPath: \"" + path + "\" was not read");
        }
        if (tls.ca() != null) {
            trust.addCertValue(Buffer.buffer(tls.ca()));
        }
        return trust;
    }
}
