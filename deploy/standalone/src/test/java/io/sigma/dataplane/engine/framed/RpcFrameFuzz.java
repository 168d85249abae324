package io.sigma.dataplane.engine.framed;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.sigma.dataplane.exchange.ErrorKind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Frames of Bolt, Dubbo and Thrift, the first octet saying which: the same whole and in pieces; a frame with another id
 * says the same; an answer that the gateway makes can be read.
 */
public final class RpcFrameFuzz {

    private static final int FRAME_MAX = 2_000;
    private static final long[] IDS = {1, 127, 128, 1_000_000, Integer.MAX_VALUE};
    private static final ByteBufAllocator BUFFERS = UnpooledByteBufAllocator.DEFAULT;

    private RpcFrameFuzz() {}

    /** Tries {@code data}; called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length < 2) {
            return;
        }
        FramedProtocol protocol = switch (data[0]) {
            case 'b' -> new BoltProtocol();
            case 'd' -> new DubboProtocol();
            case 't' -> new ThriftProtocol();
            default -> null;
        };
        if (protocol != null) {
            byte[] sent = Arrays.copyOfRange(data, 1, data.length);
            String atOnce = read(protocol, sent, sent.length);
            for (int piece : new int[] {1, 7, 64}) {
                same("in pieces of " + piece, atOnce, read(protocol, sent, piece));
            }
        }
    }

    /** Returns what the frames say, and how it ends. */
    private static String read(FramedProtocol protocol, byte[] data, int piece) {
        StringBuilder seen = new StringBuilder();
        FrameReader reader = new FrameReader(protocol, BUFFERS);
        try {
            for (int at = 0; at < data.length; at += piece) {
                reader.add(Unpooled.copiedBuffer(data, at, Math.min(piece, data.length - at)), FRAME_MAX);
                for (ByteBuf frame = reader.next(); frame != null; frame = reader.next()) {
                    seen.append(one(protocol, frame)).append('\n');
                }
            }
            seen.append(reader.isWithinFrame() ? "within a frame" : "over");
        } catch (BadFrame e) {
            seen.append(e.getMessage());
        } finally {
            reader.release();
        }
        if (reader.held() != 0) {
            throw new AssertionError(reader.held() + " bytes are held in the end");
        }
        return seen.toString();
    }

    private static String one(FramedProtocol protocol, ByteBuf frame) throws BadFrame {
        byte[] octets = ByteBufUtil.getBytes(frame);
        try {
            FrameHead head = new FrameHead();
            head.clear();
            protocol.read(frame, head);
            String text = text(frame, head);
            if (head.kind != FrameHead.Kind.RESPONSE && head.kind != FrameHead.Kind.HEARTBEAT_ANSWER) {
                // Nobody asks for those of answers, which are passed on unread.
                protocol.header(frame, head, "a");
            }
            protocol.name(head.form);
            for (long id : IDS) {
                withId(protocol, octets, head, id, text);
            }
            answers(protocol, frame, head);
            return text + " " + head.id;
        } finally {
            frame.release();
        }
    }

    private static void withId(FramedProtocol protocol, byte[] octets, FrameHead head, long id, String text)
            throws BadFrame {
        ByteBuf other = protocol.withId(Unpooled.copiedBuffer(octets), id, BUFFERS);
        FrameHead again = reread(protocol, other);
        same("id", id, again.id);
        same("with another id", text, text(other, again));
        ByteBuf back = protocol.withId(other, head.id, BUFFERS);
        same("its own id", head.id, reread(protocol, back).id);
        back.release();
    }

    private static void answers(FramedProtocol protocol, ByteBuf frame, FrameHead head) throws BadFrame {
        if (head.kind == FrameHead.Kind.HEARTBEAT) {
            answer(protocol, protocol.heartbeatAnswer(head, BUFFERS), head, FrameHead.Kind.HEARTBEAT_ANSWER);
        } else if (head.kind == FrameHead.Kind.REQUEST) {
            String method = frame.toString(head.methodAt, head.methodLength, StandardCharsets.UTF_8);
            for (ErrorKind kind : ErrorKind.values()) {
                answer(
                        protocol,
                        protocol.error(head.form, head.id, method, kind, BUFFERS),
                        head,
                        FrameHead.Kind.RESPONSE);
            }
        }
    }

    private static void answer(FramedProtocol protocol, ByteBuf answer, FrameHead asked, FrameHead.Kind kind)
            throws BadFrame {
        FrameHead head = reread(protocol, answer);
        same("kind of an answer", kind, head.kind);
        same("id of an answer", asked.id, head.id);
        answer.release();
    }

    private static FrameHead reread(FramedProtocol protocol, ByteBuf frame) throws BadFrame {
        same(
                "length",
                (long) frame.readableBytes(),
                protocol.length(frame, frame.readerIndex(), frame.readableBytes()));
        FrameHead head = new FrameHead();
        head.clear();
        protocol.read(frame, head);
        return head;
    }

    private static String text(ByteBuf frame, FrameHead head) {
        return head.kind + " " + head.form + " " + head.status + " " + head.httpStatus + " " + head.timeoutMillis + " "
                + part(frame, head.serviceAt, head.serviceLength) + " "
                + part(frame, head.methodAt, head.methodLength) + " "
                + part(frame, head.headersAt, head.headersLength);
    }

    private static String part(ByteBuf frame, int at, int length) {
        if (length == 0) {
            return "-";
        }
        if (length < 0 || at < frame.readerIndex() || at + length > frame.writerIndex()) {
            throw new AssertionError(length + " bytes at " + at + " of a frame of " + frame.readableBytes());
        }
        return ByteBufUtil.hexDump(frame, at, length);
    }

    private static void same(String how, Object expected, Object actual) {
        if (!expected.equals(actual)) {
            throw new AssertionError(how + ": " + actual + " (expected: " + expected + ")");
        }
    }
}
