package io.sigma.dataplane.engine.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sigma.value.HostPattern;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The first message of a TLS client (RFC 8446 §4.1.2). Its format is the same in every version from 1.0 on.
 *
 * @param serverName in lower case (RFC 6066 §3); null for none, or none that is a host name. With encrypted client
 *     hello it is that of the outer message
 * @param protocols that are offered by ALPN (RFC 7301 §3.1), the best first
 */
public record ClientHello(@Nullable String serverName, List<String> protocols) {

    /** Longest message, in bytes; its records add a header of five bytes each. */
    public static final int BYTES_MAX = 16 * 1024;

    /** A fatal alert (RFC 6066 §3, RFC 8446 §6.2). */
    private static final byte[] UNRECOGNIZED_NAME = {21, 3, 3, 0, 2, 2, 112};

    /** The same (RFC 7301 §3.2). */
    private static final byte[] NO_APPLICATION_PROTOCOL = {21, 3, 3, 0, 2, 2, 120};

    private static final int RECORD_HEADER = 5;
    private static final int RECORD_BYTES_MAX = 16 * 1024;
    private static final int HANDSHAKE = 22;
    private static final int CLIENT_HELLO = 1;
    private static final int MESSAGE_HEADER = 4;
    private static final int RANDOM_BYTES = 32;
    private static final int SESSION_ID_BYTES_MAX = 32;
    private static final int SERVER_NAME = 0;
    private static final int HOST_NAME = 0;
    private static final int ALPN = 16;

    public ClientHello {
        protocols = List.copyOf(protocols);
    }

    /** That the bytes are no first message of TLS, or a longer one than is read. */
    public static final class Invalid extends Exception {

        private static final long serialVersionUID = 1;

        public Invalid(String message) {
            super(message, null, false, false);
        }
    }

    /** Reads a first message that comes in pieces. Confined to the event loop. */
    public static final class Reader {

        private final ByteBuf header = Unpooled.buffer(RECORD_HEADER, RECORD_HEADER);
        private final ByteBuf message = Unpooled.buffer(512, BYTES_MAX + MESSAGE_HEADER);
        /** The missing part of the current record, in bytes. */
        private int left;

        /**
         * Returns the message that ends in {@code piece}, and leaves the piece as it is; null when more must come.
         *
         * @throws Invalid when more would not help
         */
        public @Nullable ClientHello read(ByteBuf piece) throws Invalid {
            ByteBuf unread = piece.duplicate();
            int length = length(message);
            while (length < 0 || message.readableBytes() < length) {
                if (left == 0 && !readHeader(unread)) {
                    return null;
                }
                int there = Math.min(Math.min(left, unread.readableBytes()), message.maxWritableBytes());
                if (there == 0) {
                    return null;
                }
                message.writeBytes(unread, there);
                left -= there;
                length = length(message);
            }
            try {
                return parse(message, length);
            } catch (IndexOutOfBoundsException e) {
                throw new Invalid("a length in it is wrong");
            }
        }

        /** Returns how much memory it takes, in bytes. */
        public int memory() {
            return header.capacity() + message.capacity();
        }

        /** Reads the header of a record (RFC 8446 §5.1); returns whether it is complete. */
        private boolean readHeader(ByteBuf unread) throws Invalid {
            header.writeBytes(unread, Math.min(unread.readableBytes(), header.writableBytes()));
            int there = header.readableBytes();
            if (there > 0 && header.getUnsignedByte(0) != HANDSHAKE) {
                throw new Invalid("it begins with another record");
            }
            if (there > 1 && header.getUnsignedByte(1) != 3) {
                throw new Invalid("it has no version of TLS");
            }
            if (there < RECORD_HEADER) {
                return false;
            }
            int fragment = header.getUnsignedShort(3);
            if (fragment == 0 || fragment > RECORD_BYTES_MAX) {
                throw new Invalid("a record has " + fragment + " bytes");
            }
            header.clear();
            left = fragment;
            return true;
        }
    }

    /** Returns how long the message is, with its header; -1 when that is not known. */
    private static int length(ByteBuf message) throws Invalid {
        if (message.isReadable() && message.getUnsignedByte(0) != CLIENT_HELLO) {
            throw new Invalid("it is another message");
        }
        if (message.readableBytes() < MESSAGE_HEADER) {
            return -1;
        }
        int length = message.getUnsignedMedium(1);
        if (length > BYTES_MAX) {
            throw new Invalid("it has " + length + " bytes");
        }
        return MESSAGE_HEADER + length;
    }

    private static ClientHello parse(ByteBuf message, int length) throws Invalid {
        ByteBuf body = message.slice(MESSAGE_HEADER, length - MESSAGE_HEADER);
        body.skipBytes(2 + RANDOM_BYTES);
        int session = body.readUnsignedByte();
        if (session > SESSION_ID_BYTES_MAX) {
            throw new Invalid("its session id is too long");
        }
        body.skipBytes(session);
        body.skipBytes(body.readUnsignedShort());
        body.skipBytes(body.readUnsignedByte());
        String name = null;
        List<String> protocols = List.of();
        boolean named = false;
        boolean offered = false;
        // TLS 1.2 allows a message without extensions (RFC 5246 §7.4.1.2).
        ByteBuf extensions = body.isReadable() ? body.readSlice(body.readUnsignedShort()) : body;
        while (extensions.isReadable()) {
            int type = extensions.readUnsignedShort();
            ByteBuf data = extensions.readSlice(extensions.readUnsignedShort());
            // No extension may come twice (RFC 8446 §4.2): the node might read the other one.
            if (type == SERVER_NAME) {
                checkFirst(named);
                named = true;
                name = serverName(data);
            } else if (type == ALPN) {
                checkFirst(offered);
                offered = true;
                protocols = protocols(data);
            }
        }
        return new ClientHello(name, protocols);
    }

    private static void checkFirst(boolean before) throws Invalid {
        if (before) {
            throw new Invalid("it names a server or its protocols twice");
        }
    }

    /** Returns the alert for a client whose server name is not known here. */
    public static ByteBuf unrecognizedName() {
        return Unpooled.wrappedBuffer(UNRECOGNIZED_NAME);
    }

    /** Returns what a client is told that offers only protocols which are not spoken here. */
    static ByteBuf noApplicationProtocol() {
        return Unpooled.wrappedBuffer(NO_APPLICATION_PROTOCOL);
    }

    /** Returns the host name in a list that has at most one (RFC 6066 §3). */
    private static @Nullable String serverName(ByteBuf data) throws Invalid {
        ByteBuf names = data.readSlice(data.readUnsignedShort());
        String name = null;
        boolean named = false;
        while (names.isReadable()) {
            int type = names.readUnsignedByte();
            int length = names.readUnsignedShort();
            String text =
                    names.readCharSequence(length, StandardCharsets.ISO_8859_1).toString();
            if (type == HOST_NAME) {
                checkFirst(named);
                named = true;
                name = hostName(text);
            }
        }
        return name;
    }

    /** Returns a server name as it is compared; null for one that is no host name. */
    public static @Nullable String hostName(String text) {
        String name = HostPattern.normalise(text);
        return !name.startsWith("[") && HostPattern.isHost(name) ? name : null;
    }

    private static List<String> protocols(ByteBuf data) {
        ByteBuf list = data.readSlice(data.readUnsignedShort());
        List<String> protocols = new ArrayList<>();
        while (list.isReadable()) {
            int length = list.readUnsignedByte();
            protocols.add(
                    list.readCharSequence(length, StandardCharsets.ISO_8859_1).toString());
        }
        return protocols;
    }
}
