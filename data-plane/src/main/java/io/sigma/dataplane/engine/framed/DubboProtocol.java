package io.sigma.dataplane.engine.framed;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.upstream.NodeEndpoint;
import java.nio.charset.StandardCharsets;

/**
 * Dubbo, version 2. A frame has a head of 16 bytes: magic, flags, status, id, length of the body. The body of a request
 * begins with four texts: version of Dubbo, service, version of the service, method. They are read where the body is
 * Hessian 2. Source: {@code ExchangeCodec} and {@code DubboCodec} of org.apache.dubbo:dubbo.
 */
final class DubboProtocol implements FramedProtocol {

    private static final int HEAD_BYTES = 16;
    private static final int MAGIC = 0xdabb;
    private static final int REQUEST = 0x80;
    private static final int TWO_WAY = 0x40;
    private static final int EVENT = 0x20;
    private static final int SERIALIZATION = 0x1f;
    private static final int HESSIAN2 = 2;
    private static final int NULL = 'N';

    private static final int STATUS_OK = 20;
    private static final int STATUS_CLIENT_TIMEOUT = 30;
    private static final int STATUS_SERVER_TIMEOUT = 31;
    private static final int STATUS_CHANNEL_INACTIVE = 35;
    private static final int STATUS_BAD_REQUEST = 40;
    private static final int STATUS_BAD_RESPONSE = 50;
    private static final int STATUS_SERVICE_NOT_FOUND = 60;
    private static final int STATUS_SERVER_ERROR = 80;
    private static final int STATUS_EXHAUSTED = 100;

    @Override
    public int prefixBytes() {
        return HEAD_BYTES;
    }

    @Override
    public long length(ByteBuf in, int at, int there) throws BadFrame {
        if (in.getUnsignedByte(at) != MAGIC >>> 8 || (there > 1 && in.getUnsignedShort(at) != MAGIC)) {
            throw new BadFrame("a frame without the magic number dabb");
        }
        if (there < HEAD_BYTES) {
            return -1;
        }
        int body = in.getInt(at + 12);
        if (body < 0) {
            throw new BadFrame("a frame with a negative length");
        }
        return HEAD_BYTES + (long) body;
    }

    @Override
    public void read(ByteBuf frame, FrameHead head) throws BadFrame {
        int at = frame.readerIndex();
        int flags = frame.getUnsignedByte(at + 2);
        head.kind = kind(flags);
        head.id = frame.getLong(at + 4);
        head.form = flags & SERIALIZATION;
        if (head.kind == FrameHead.Kind.RESPONSE) {
            head.status = frame.getUnsignedByte(at + 3);
            head.httpStatus = httpStatus(head.status);
        } else if ((flags & EVENT) == 0 && head.form == HESSIAN2) {
            readNames(frame, head);
        }
    }

    private static FrameHead.Kind kind(int flags) {
        boolean request = (flags & REQUEST) != 0;
        if ((flags & EVENT) == 0) {
            return !request
                    ? FrameHead.Kind.RESPONSE
                    : (flags & TWO_WAY) != 0 ? FrameHead.Kind.REQUEST : FrameHead.Kind.ONE_WAY;
        }
        if (!request) {
            return FrameHead.Kind.HEARTBEAT_ANSWER;
        }
        // An event that is not answered says that its sender takes no more requests.
        return (flags & TWO_WAY) != 0 ? FrameHead.Kind.HEARTBEAT : FrameHead.Kind.LEAVING;
    }

    private static void readNames(ByteBuf frame, FrameHead head) throws BadFrame {
        int at = frame.readerIndex() + HEAD_BYTES;
        for (int i = 0; i < 4; i++) {
            int begin = textAt(frame, at);
            int end = begin + textBytes(frame, at, begin);
            if (i == 1) {
                head.serviceAt = begin;
                head.serviceLength = end - begin;
            } else if (i == 3) {
                head.methodAt = begin;
                head.methodLength = end - begin;
            }
            at = end;
        }
    }

    private static int tag(ByteBuf frame, int at) throws BadFrame {
        if (at >= frame.writerIndex()) {
            throw new BadFrame("a request that ends within its names");
        }
        return frame.getUnsignedByte(at);
    }

    /** Returns where the characters of a text of Hessian 2 begin. */
    private static int textAt(ByteBuf frame, int at) throws BadFrame {
        int tag = tag(frame, at);
        int more = tag <= 0x1f || tag == NULL ? 1 : tag >= 0x30 && tag <= 0x33 ? 2 : tag == 'S' ? 3 : 0;
        if (more == 0 || at + more > frame.writerIndex()) {
            throw new BadFrame("a request with names of another type");
        }
        return at + more;
    }

    /** Returns how many bytes a text has. Hessian says how many characters it has. */
    private static int textBytes(ByteBuf frame, int at, int begin) throws BadFrame {
        int tag = tag(frame, at);
        int characters = switch (begin - at) {
            case 3 -> frame.getUnsignedShort(at + 1);
            case 2 -> ((tag - 0x30) << 8) + frame.getUnsignedByte(at + 1);
            default -> tag == NULL ? 0 : tag;
        };
        int end = begin;
        for (int i = 0; i < characters; i++) {
            int first = tag(frame, end);
            end += first < 0x80 ? 1 : first < 0xe0 ? 2 : 3;
        }
        if (end > frame.writerIndex()) {
            throw new BadFrame("a request that ends within its names");
        }
        return end - begin;
    }

    /** Writes into the frame, which nobody else reads. */
    @Override
    public ByteBuf withId(ByteBuf frame, long id, ByteBufAllocator buffers) {
        return frame.setLong(frame.readerIndex() + 4, id);
    }

    @Override
    public String name(long form) {
        return "DUBBO/2";
    }

    @Override
    public ByteBuf heartbeatAnswer(FrameHead heartbeat, ByteBufAllocator buffers) {
        ByteBuf frame = buffers.directBuffer(HEAD_BYTES + 1);
        head(frame, EVENT | (int) heartbeat.form, STATUS_OK, heartbeat.id);
        return frame.writeInt(1).writeByte(NULL);
    }

    /** The message is a text of Hessian 2, which clients with another serialization cannot be given. */
    @Override
    public ByteBuf error(long form, long id, String method, ErrorKind kind, ByteBufAllocator buffers) {
        byte[] text = kind.detail().getBytes(StandardCharsets.US_ASCII);
        ByteBuf frame = buffers.directBuffer(HEAD_BYTES + 2 + text.length);
        head(frame, HESSIAN2, status(kind), id);
        frame.writeInt(2 + text.length);
        return frame.writeByte(0x30 + (text.length >>> 8))
                .writeByte(text.length)
                .writeBytes(text);
    }

    private static void head(ByteBuf frame, int flags, int status, long id) {
        frame.writeShort(MAGIC).writeByte(flags).writeByte(status).writeLong(id);
    }

    private static int status(ErrorKind kind) {
        return switch (kind) {
            case NO_ROUTE -> STATUS_SERVICE_NOT_FOUND;
            case BAD_REQUEST, BODY_TOO_LARGE -> STATUS_BAD_REQUEST;
            case CONNECT_TIMEOUT, RESPONSE_TIMEOUT, TOTAL_TIMEOUT -> STATUS_SERVER_TIMEOUT;
            case NO_NODE, CONNECT_FAILED, ADDRESS_REFUSED, UPSTREAM_RESET, CONNECTION_ENDED -> STATUS_CHANNEL_INACTIVE;
            default -> kind.isOverload() ? STATUS_EXHAUSTED : STATUS_SERVER_ERROR;
        };
    }

    private static int httpStatus(int status) {
        return switch (status) {
            case STATUS_OK -> 200;
            case STATUS_CLIENT_TIMEOUT, STATUS_SERVER_TIMEOUT -> 504;
            case STATUS_CHANNEL_INACTIVE, STATUS_BAD_RESPONSE -> 502;
            case STATUS_BAD_REQUEST -> 400;
            case STATUS_SERVICE_NOT_FOUND -> 404;
            case STATUS_EXHAUSTED -> 503;
            default -> 500;
        };
    }

    @Override
    public NodeEndpoint.Version version() {
        return NodeEndpoint.Version.DUBBO;
    }
}
