package io.sigma.dataplane.engine.framed;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.upstream.NodeEndpoint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Bolt, versions 1 and 2, as SOFA RPC speaks it. A frame has a head of fixed length, then the name of a class, header
 * pairs, the content, and in version 2 maybe a checksum. Source: {@code RpcCommandDecoder} and
 * {@code RpcCommandDecoderV2} of com.alipay.sofa:bolt.
 */
final class BoltProtocol implements FramedProtocol {

    private static final int V1 = 1;
    private static final int V2 = 2;
    /** The version of protocol 2 that knows checksums. */
    private static final int CHECKED = 2;

    private static final int RESPONSE = 0;
    private static final int REQUEST = 1;
    private static final int ONE_WAY = 2;

    private static final int COMMAND_HEARTBEAT = 0;
    private static final int COMMAND_REQUEST = 1;
    private static final int COMMAND_RESPONSE = 2;
    private static final int COMMAND_VERSION = 1;

    private static final int V1_REQUEST_BYTES = 22;
    private static final int V1_RESPONSE_BYTES = 20;
    /** The additional bytes of version 2: the version of the protocol, and the switch. */
    private static final int V2_EXTRA_BYTES = 2;

    private static final int CRC_BYTES = 4;
    private static final int PREFIX_BYTES = V1_REQUEST_BYTES + V2_EXTRA_BYTES;
    /** Peers read lengths of class and header block as numbers with a sign. */
    private static final int SHORT_MAX = Short.MAX_VALUE;

    private static final int STATUS_SERVER_EXCEPTION = 2;
    private static final int STATUS_BUSY = 4;
    private static final int STATUS_COMMUNICATION = 5;
    private static final int STATUS_NO_PROCESSOR = 6;
    private static final int STATUS_TIMEOUT = 7;
    private static final int STATUS_CODEC = 9;

    @Override
    public int prefixBytes() {
        return PREFIX_BYTES;
    }

    @Override
    public long length(ByteBuf in, int at, int there) throws BadFrame {
        int code = in.getByte(at);
        if (code != V1 && code != V2) {
            throw new BadFrame("a frame with protocol code " + code + " (expected: 1 or 2)");
        }
        int shift = code - V1;
        if (there < 2 + shift) {
            return -1;
        }
        if (code == V2 && in.getByte(at + 1) != V1 && in.getByte(at + 1) != CHECKED) {
            throw new BadFrame("a frame with protocol version " + in.getByte(at + 1) + " (expected: 1 or 2)");
        }
        int type = in.getByte(at + 1 + shift);
        if (type != RESPONSE && type != REQUEST && type != ONE_WAY) {
            throw new BadFrame("a frame of type " + type + " (expected: 0..2)");
        }
        int fixed = fixedBytes(code, type);
        if (there < fixed) {
            return -1;
        }
        int lengths = at + fixed - 8;
        int content = in.getInt(lengths + 4);
        if (in.getUnsignedShort(lengths) > SHORT_MAX || in.getUnsignedShort(lengths + 2) > SHORT_MAX || content < 0) {
            throw new BadFrame("a frame with a negative length");
        }
        return (long) fixed
                + in.getUnsignedShort(lengths)
                + in.getUnsignedShort(lengths + 2)
                + content
                + (isChecked(in, at) ? CRC_BYTES : 0);
    }

    private static int fixedBytes(int code, int type) {
        return (type == RESPONSE ? V1_RESPONSE_BYTES : V1_REQUEST_BYTES) + (code == V2 ? V2_EXTRA_BYTES : 0);
    }

    /** Returns whether a frame ends with a checksum. */
    private static boolean isChecked(ByteBuf frame, int at) {
        return frame.getByte(at) == V2 && frame.getByte(at + 1) == CHECKED && (frame.getByte(at + 11) & 1) != 0;
    }

    @Override
    public void read(ByteBuf frame, FrameHead head) throws BadFrame {
        int at = frame.readerIndex();
        int code = frame.getByte(at);
        int shift = code - V1;
        int type = frame.getByte(at + 1 + shift);
        int command = frame.getShort(at + 2 + shift);
        int fixed = fixedBytes(code, type);
        int lengths = at + fixed - 8;
        if (isChecked(frame, at) && checksum(frame) != frame.getInt(frame.writerIndex() - CRC_BYTES)) {
            throw new BadFrame("a frame with a wrong checksum");
        }
        head.kind = kind(type, command);
        head.id = frame.getUnsignedInt(at + 5 + shift);
        head.form = code
                | (code == V2 ? (long) frame.getByte(at + 1) << 8 : 0)
                | (frame.getByte(at + 4 + shift) & 0xffL) << 16
                | (frame.getByte(at + 9 + shift) & 0xffL) << 24
                | (code == V2 ? (frame.getByte(at + 11) & 0xffL) << 32 : 0);
        head.serviceAt = at + fixed;
        head.serviceLength = frame.getUnsignedShort(lengths);
        head.headersAt = head.serviceAt + head.serviceLength;
        head.headersLength = frame.getUnsignedShort(lengths + 2);
        if (type == RESPONSE) {
            head.status = frame.getUnsignedShort(lengths - 2);
            head.httpStatus = httpStatus(head.status);
        } else {
            head.timeoutMillis = Math.max(0, frame.getInt(lengths - 4));
            checkPairs(frame, head);
        }
    }

    private static FrameHead.Kind kind(int type, int command) throws BadFrame {
        if (command == COMMAND_HEARTBEAT && type != ONE_WAY) {
            return type == RESPONSE ? FrameHead.Kind.HEARTBEAT_ANSWER : FrameHead.Kind.HEARTBEAT;
        }
        if (command != (type == RESPONSE ? COMMAND_RESPONSE : COMMAND_REQUEST)) {
            throw new BadFrame("a frame of type " + type + " with command " + command);
        }
        return switch (type) {
            case RESPONSE -> FrameHead.Kind.RESPONSE;
            case ONE_WAY -> FrameHead.Kind.ONE_WAY;
            default -> FrameHead.Kind.REQUEST;
        };
    }

    private static void checkPairs(ByteBuf frame, FrameHead head) throws BadFrame {
        int at = head.headersAt;
        int end = at + head.headersLength;
        boolean key = true;
        while (at < end) {
            long next = end - at < 4 ? -1 : at + 4L + Math.max(0, frame.getInt(at));
            if (next < 0 || next > end) {
                throw new BadFrame("header pairs with a wrong length");
            }
            at = (int) next;
            key = !key;
        }
        if (!key) {
            throw new BadFrame("a header without a value");
        }
    }

    @Override
    public @Nullable String header(ByteBuf frame, FrameHead head, String name) {
        byte[] wanted = name.getBytes(StandardCharsets.UTF_8);
        int at = head.headersAt;
        int end = at + head.headersLength;
        while (at < end) {
            int length = Math.max(0, frame.getInt(at));
            int value = at + 4 + length;
            int valueLength = Math.max(0, frame.getInt(value));
            if (length == wanted.length && isAt(frame, at + 4, wanted)) {
                return frame.toString(value + 4, valueLength, StandardCharsets.UTF_8);
            }
            at = value + 4 + valueLength;
        }
        return null;
    }

    private static boolean isAt(ByteBuf frame, int at, byte[] wanted) {
        for (int i = 0; i < wanted.length; i++) {
            if (frame.getByte(at + i) != wanted[i]) {
                return false;
            }
        }
        return true;
    }

    /** Writes into the frame, which nobody else reads. */
    @Override
    public ByteBuf withId(ByteBuf frame, long id, ByteBufAllocator buffers) {
        int at = frame.readerIndex();
        frame.setInt(at + 5 + (frame.getByte(at) - V1), (int) id);
        if (isChecked(frame, at)) {
            frame.setInt(frame.writerIndex() - CRC_BYTES, checksum(frame));
        }
        return frame;
    }

    /**
     * A server answers all requests of a connection in the version of the first one. The clients that share it have
     * versions of their own.
     */
    @Override
    public ByteBuf answer(ByteBuf frame, long form, long id, ByteBufAllocator buffers) {
        int at = frame.readerIndex();
        int code = frame.getByte(at);
        if (code == (int) (form & 0xff)) {
            return withId(frame, id, buffers);
        }
        int shift = code - V1;
        int fixed = fixedBytes(code, RESPONSE);
        ByteBuf head = buffers.directBuffer(V1_RESPONSE_BYTES + V2_EXTRA_BYTES);
        begin(head, form, frame.getShort(at + 2 + shift), id, frame.getByte(at + 9 + shift));
        head.writeBytes(frame, at + fixed - 10, 10);
        if (isChecked(frame, at)) {
            frame.writerIndex(frame.writerIndex() - CRC_BYTES);
        }
        CompositeByteBuf joined = buffers.compositeDirectBuffer(3);
        joined.addComponent(true, head).addComponent(true, frame.skipBytes(fixed));
        if (isChecked(joined, 0)) {
            int sum = checksum(joined, joined.readableBytes());
            joined.addComponent(true, buffers.directBuffer(CRC_BYTES).writeInt(sum));
        }
        return joined;
    }

    private static int checksum(ByteBuf frame) {
        return checksum(frame, frame.readableBytes() - CRC_BYTES);
    }

    private static int checksum(ByteBuf frame, int length) {
        CRC32 sum = new CRC32();
        for (ByteBuffer part : frame.nioBuffers(frame.readerIndex(), length)) {
            sum.update(part);
        }
        return (int) sum.getValue();
    }

    @Override
    public String name(long form) {
        return (form & 0xff) == V2 ? "BOLT/2" : "BOLT/1";
    }

    @Override
    public ByteBuf heartbeatAnswer(FrameHead heartbeat, ByteBufAllocator buffers) {
        return response(heartbeat.form, heartbeat.id, COMMAND_HEARTBEAT, 0, buffers);
    }

    @Override
    public ByteBuf error(long form, long id, String method, ErrorKind kind, ByteBufAllocator buffers) {
        return response(form, id, COMMAND_RESPONSE, status(kind), buffers);
    }

    private static ByteBuf response(long form, long id, int command, int status, ByteBufAllocator buffers) {
        ByteBuf frame = buffers.directBuffer(V1_RESPONSE_BYTES + V2_EXTRA_BYTES + CRC_BYTES);
        begin(frame, form, command, id, (int) (form >>> 24 & 0xff));
        frame.writeShort(status).writeShort(0).writeShort(0).writeInt(0);
        if (isChecked(frame, frame.readerIndex())) {
            frame.writeInt(0);
            frame.setInt(frame.writerIndex() - CRC_BYTES, checksum(frame));
        }
        return frame;
    }

    /** Writes the beginning of an answer to a request of {@code form}, up to its status. */
    private static void begin(ByteBuf out, long form, int command, long id, int codec) {
        boolean second = (form & 0xff) == V2;
        out.writeByte(second ? V2 : V1);
        if (second) {
            out.writeByte((int) (form >>> 8 & 0xff));
        }
        out.writeByte(RESPONSE).writeShort(command).writeByte(COMMAND_VERSION);
        out.writeInt((int) id).writeByte(codec);
        if (second) {
            out.writeByte((int) (form >>> 32 & 0xff));
        }
    }

    /** Returns how the protocol calls a failure of the gateway. */
    private static int status(ErrorKind kind) {
        return switch (kind) {
            case NO_ROUTE -> STATUS_NO_PROCESSOR;
            case BAD_REQUEST, BODY_TOO_LARGE, BAD_RESPONSE -> STATUS_CODEC;
            case CONNECT_TIMEOUT, RESPONSE_TIMEOUT, TOTAL_TIMEOUT -> STATUS_TIMEOUT;
            case NO_NODE, CONNECT_FAILED, ADDRESS_REFUSED, UPSTREAM_RESET, CONNECTION_ENDED -> STATUS_COMMUNICATION;
            default -> kind.isOverload() ? STATUS_BUSY : STATUS_SERVER_EXCEPTION;
        };
    }

    /** Returns what HTTP calls a status of an answer. */
    private static int httpStatus(int status) {
        return switch (status) {
            case 0 -> 200;
            case STATUS_BUSY -> 503;
            case STATUS_COMMUNICATION -> 502;
            case STATUS_NO_PROCESSOR -> 404;
            case STATUS_TIMEOUT -> 504;
            case STATUS_CODEC -> 400;
            default -> 500;
        };
    }

    @Override
    public NodeEndpoint.Version version() {
        return NodeEndpoint.Version.BOLT;
    }
}
