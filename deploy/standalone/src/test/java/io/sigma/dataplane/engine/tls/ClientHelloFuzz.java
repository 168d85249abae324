package io.sigma.dataplane.engine.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sigma.value.HostPattern;

/** The first message of TLS: the same whole and in pieces, and a server name is one that a router may have. */
public final class ClientHelloFuzz {

    private ClientHelloFuzz() {}

    /** Tries {@code data}; called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] data) {
        String atOnce = read(data, Math.max(1, data.length));
        for (int piece : new int[] {1, 5, 100}) {
            String pieces = read(data, piece);
            if (!pieces.equals(atOnce)) {
                throw new AssertionError("in pieces of " + piece + ": " + pieces + " (expected: " + atOnce + ")");
            }
        }
    }

    private static String read(byte[] data, int piece) {
        ClientHello.Reader reader = new ClientHello.Reader();
        for (int at = 0; at < data.length; at += piece) {
            ByteBuf next = Unpooled.wrappedBuffer(data, at, Math.min(piece, data.length - at));
            int there = next.readableBytes();
            ClientHello hello;
            try {
                hello = reader.read(next);
            } catch (ClientHello.Invalid e) {
                return e.getMessage();
            }
            if (next.readableBytes() != there) {
                throw new AssertionError("the node would not get " + (there - next.readableBytes()) + " bytes");
            }
            if (hello != null) {
                check(hello.serverName());
                return hello.toString();
            }
        }
        return "incomplete";
    }

    private static void check(String name) {
        if (name != null && !HostPattern.parse(name).toString().equals(name)) {
            throw new AssertionError(name + " is another host when it is read again");
        }
    }
}
