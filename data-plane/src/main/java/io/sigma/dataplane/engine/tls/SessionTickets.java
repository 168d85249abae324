package io.sigma.dataplane.engine.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.internal.tcnative.SSL;
import javax.net.ssl.SSLEngine;

/**
 * Session tickets of TLS 1.3. {@code LoopListener} sends them after a handshake. BoringSSL keeps them until
 * something is written. Sent with the first response they would leave the end of the handshake unanswered until then,
 * and a client's kernel that does not send what is small until what it sent before is acknowledged (Nagle's algorithm)
 * would hold its first request back. The JDK sends them by itself. Stateless.
 */
public final class SessionTickets {

    /** Of no length: what is written is what was kept back. */
    private static final ByteBuf NOTHING = Unpooled.unreleasableBuffer(Unpooled.directBuffer(1));

    private SessionTickets() {}

    /** Has {@code engine}, whose handshake is over, put its tickets where the next flush takes them from. */
    public static void send(SSLEngine engine) {
        if (engine instanceof ReferenceCountedOpenSslEngine openSsl) {
            synchronized (openSsl) {
                long pointer = openSsl.sslPointer();
                if (pointer != 0) {
                    SSL.writeToSSL(pointer, NOTHING.memoryAddress(), 0);
                }
            }
        }
    }
}
