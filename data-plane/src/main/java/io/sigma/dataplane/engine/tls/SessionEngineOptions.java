package io.sigma.dataplane.engine.tls;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslProvider;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.spi.tls.DefaultSslContextFactory;
import io.vertx.core.spi.tls.SslContextFactory;
import javax.net.ssl.SSLException;

/**
 * Engines of the platform that remember sessions themselves. Tickets, the platform's default, work with one certificate
 * only: it cannot find the one of a session that is to be resumed among several. Stateless.
 */
final class SessionEngineOptions extends JdkSSLEngineOptions {

    private static final String TICKETS = "jdk.tls.server.enableSessionTicketExtension";
    private static final int SESSIONS_MAX = 10_000;
    private static final int SESSION_SECONDS = 3_600;

    @Override
    public SessionEngineOptions copy() {
        return new SessionEngineOptions();
    }

    @Override
    public SslContextFactory sslContextFactory() {
        return new DefaultSslContextFactory(SslProvider.JDK, false) {
            @Override
            public SslContext create() throws SSLException {
                // There is no other way to say it; the platform looks when it makes a context.
                if (System.getProperty(TICKETS) == null) {
                    System.setProperty(TICKETS, "false");
                }
                SslContext context = super.create();
                context.sessionContext().setSessionCacheSize(SESSIONS_MAX);
                context.sessionContext().setSessionTimeout(SESSION_SECONDS);
                return context;
            }
        };
    }
}
