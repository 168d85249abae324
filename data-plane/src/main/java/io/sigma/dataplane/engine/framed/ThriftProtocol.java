package io.sigma.dataplane.engine.framed;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.upstream.NodeEndpoint;
import java.nio.charset.StandardCharsets;

/**
 * Thrift with framed transport. A frame has a length of four bytes, then a message of the binary or the compact
 * protocol. Clients of several services put the name of the service and a colon before the method. Source: {@code
 * TBinaryProtocol}, {@code TCompactProtocol} and {@code TMultiplexedProtocol} of org.apache.thrift:libthrift.
 */
final class ThriftProtocol implements FramedProtocol {

    private static final int LENGTH_BYTES = 4;
    private static final int BINARY_VERSION = 0x8001;
    private static final int COMPACT = 0x82;
    private static final int COMPACT_VERSION = 1;
    private static final int VARINT_BYTES_MAX = 5;

    private static final int CALL = 1;
    private static final int REPLY = 2;
    private static final int EXCEPTION = 3;
    private static final int ONE_WAY = 4;

    private static final int UNKNOWN_METHOD = 1;
    private static final int INTERNAL_ERROR = 6;
    private static final int PROTOCOL_ERROR = 7;

    /** A message is shorter, whatever it says. */
    private static final int MESSAGE_BYTES_MIN = 4;

    @Override
    public int prefixBytes() {
        return LENGTH_BYTES;
    }

    @Override
    public long length(ByteBuf in, int at, int there) throws BadFrame {
        if (there < LENGTH_BYTES) {
            return -1;
        }
        int length = in.getInt(at);
        if (length < MESSAGE_BYTES_MIN) {
            throw new BadFrame("a frame with the length " + length);
        }
        return LENGTH_BYTES + (long) length;
    }

    @Override
    public void read(ByteBuf frame, FrameHead head) throws BadFrame {
        int at = frame.readerIndex() + LENGTH_BYTES;
        boolean compact = frame.getUnsignedByte(at) == COMPACT;
        head.form = compact ? COMPACT : 0;
        int type;
        int nameAt;
        int nameLength;
        if (compact) {
            int second = frame.getUnsignedByte(at + 1);
            type = second >>> 5;
            check((second & 0x1f) == COMPACT_VERSION);
            int idBytes = varintBytes(frame, at + 2);
            head.id = varint(frame, at + 2) & 0xffff_ffffL;
            int lengthAt = at + 2 + idBytes;
            nameAt = lengthAt + varintBytes(frame, lengthAt);
            nameLength = varint(frame, lengthAt);
        } else {
            check(frame.getUnsignedShort(at) == BINARY_VERSION && frame.readableBytes() >= LENGTH_BYTES + 12);
            type = frame.getUnsignedByte(at + 3);
            nameLength = frame.getInt(at + 4);
            nameAt = at + 8;
        }
        check(nameLength >= 0 && nameLength <= frame.writerIndex() - nameAt - (compact ? 0 : 4));
        if (!compact) {
            head.id = frame.getUnsignedInt(nameAt + nameLength);
        }
        head.kind = switch (type) {
            case CALL -> FrameHead.Kind.REQUEST;
            case ONE_WAY -> FrameHead.Kind.ONE_WAY;
            case REPLY, EXCEPTION -> FrameHead.Kind.RESPONSE;
            default -> throw new BadFrame("a message of type " + type + " (expected: 1..4)");
        };
        head.httpStatus = type == EXCEPTION ? 500 : 200;
        int colon = frame.indexOf(nameAt, nameAt + nameLength, (byte) ':');
        head.serviceAt = nameAt;
        head.serviceLength = Math.max(0, colon - nameAt);
        head.methodAt = colon < 0 ? nameAt : colon + 1;
        head.methodLength = nameAt + nameLength - head.methodAt;
    }

    private static void check(boolean holds) throws BadFrame {
        if (!holds) {
            throw new BadFrame("a message that is neither of the binary nor of the compact protocol");
        }
    }

    private static int varintBytes(ByteBuf frame, int at) throws BadFrame {
        for (int i = 0; i < VARINT_BYTES_MAX; i++) {
            check(at + i < frame.writerIndex());
            if (frame.getByte(at + i) >= 0) {
                return i + 1;
            }
        }
        throw new BadFrame("a number with too many bytes");
    }

    /** Returns a number whose length is checked. */
    private static int varint(ByteBuf frame, int at) {
        int value = 0;
        for (int i = 0; ; i++) {
            int octet = frame.getByte(at + i);
            value |= (octet & 0x7f) << (7 * i);
            if (octet >= 0) {
                return value;
            }
        }
    }

    private static void writeVarint(ByteBuf out, int value) {
        int left = value;
        while ((left & ~0x7f) != 0) {
            out.writeByte((left & 0x7f) | 0x80);
            left >>>= 7;
        }
        out.writeByte(left);
    }

    /** Writes into the frame where the id has a fixed length, else puts another head before the rest of it. */
    @Override
    public ByteBuf withId(ByteBuf frame, long id, ByteBufAllocator buffers) {
        int at = frame.readerIndex() + LENGTH_BYTES;
        if (frame.getUnsignedByte(at) != COMPACT) {
            return frame.setInt(at + 8 + frame.getInt(at + 4), (int) id);
        }
        int type = frame.getByte(at + 1);
        int idBytes = 1;
        while (frame.getByte(at + 1 + idBytes) < 0) {
            idBytes++;
        }
        ByteBuf head = buffers.directBuffer(LENGTH_BYTES + 2 + VARINT_BYTES_MAX);
        head.writeInt(0).writeByte(COMPACT).writeByte(type);
        writeVarint(head, (int) id);
        frame.skipBytes(LENGTH_BYTES + 2 + idBytes);
        head.setInt(0, head.readableBytes() - LENGTH_BYTES + frame.readableBytes());
        CompositeByteBuf joined = buffers.compositeDirectBuffer(2);
        return joined.addComponent(true, head).addComponent(true, frame);
    }

    @Override
    public String name(long form) {
        return form == COMPACT ? "THRIFT/compact" : "THRIFT/binary";
    }

    @Override
    public ByteBuf heartbeatAnswer(FrameHead heartbeat, ByteBufAllocator buffers) {
        throw new IllegalStateException("there are no heartbeats");
    }

    /** Makes a {@code TApplicationException}: field 1 is a text, field 2 the type. */
    @Override
    public ByteBuf error(long form, long id, String method, ErrorKind kind, ByteBufAllocator buffers) {
        byte[] name = method.getBytes(StandardCharsets.UTF_8);
        byte[] text = kind.detail().getBytes(StandardCharsets.US_ASCII);
        ByteBuf frame = buffers.directBuffer(64 + name.length + text.length).writeInt(0);
        if (form == COMPACT) {
            frame.writeByte(COMPACT).writeByte(COMPACT_VERSION | (EXCEPTION << 5));
            writeVarint(frame, (int) id);
            writeVarint(frame, name.length);
            frame.writeBytes(name).writeByte(0x18);
            writeVarint(frame, text.length);
            // Zigzag of a small number is twice that number.
            frame.writeBytes(text).writeByte(0x15).writeByte(2 * type(kind)).writeByte(0);
        } else {
            frame.writeShort(BINARY_VERSION).writeShort(EXCEPTION);
            frame.writeInt(name.length).writeBytes(name).writeInt((int) id);
            frame.writeByte(11).writeShort(1).writeInt(text.length).writeBytes(text);
            frame.writeByte(8).writeShort(2).writeInt(type(kind)).writeByte(0);
        }
        return frame.setInt(0, frame.readableBytes() - LENGTH_BYTES);
    }

    private static int type(ErrorKind kind) {
        return switch (kind) {
            case NO_ROUTE -> UNKNOWN_METHOD;
            case BAD_REQUEST, BODY_TOO_LARGE -> PROTOCOL_ERROR;
            default -> INTERNAL_ERROR;
        };
    }

    /** Servers of Thrift answer the requests of a connection one after the other: more would wait for each other. */
    @Override
    public int streamsMax(int configured) {
        return 1;
    }

    @Override
    public NodeEndpoint.Version version() {
        return NodeEndpoint.Version.THRIFT;
    }
}
