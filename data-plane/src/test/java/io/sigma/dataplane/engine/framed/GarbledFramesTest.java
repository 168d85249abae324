package io.sigma.dataplane.engine.framed;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.sigma.dataplane.exchange.ErrorKind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Frames of Dubbo and Thrift: every split, and bytes that are wrong. */
final class GarbledFramesTest {

    private static final ByteBuf DUBBO = frame(
            "dabbc200000000000000000700000000",
            "05",
            "=2.0.2",
            "12",
            "=com.example.Orders",
            "05",
            "=1.0.0",
            "08",
            "=getOrder",
            "90");
    private static final ByteBuf BINARY =
            frame("00000000", "8001000100000004", "=echo", "000000070b000100000001", "=x", "00");
    private static final ByteBuf COMPACT = frame("00000000", "82218f0104", "=echo", "1801", "=x", "00");

    static {
        DUBBO.setInt(12, DUBBO.readableBytes() - 16);
        BINARY.setInt(0, BINARY.readableBytes() - 4);
        COMPACT.setInt(0, COMPACT.readableBytes() - 4);
    }

    /** Returns the bytes of hexadecimal parts, and of texts that begin with an equals sign. */
    private static ByteBuf frame(String... parts) {
        ByteBuf out = Unpooled.buffer();
        for (String part : parts) {
            out.writeBytes(
                    part.startsWith("=")
                            ? part.substring(1).getBytes(StandardCharsets.US_ASCII)
                            : HexFormat.of().parseHex(part));
        }
        return out;
    }

    static Stream<Arguments> frames() {
        return Stream.of(
                Arguments.of(new DubboProtocol(), ByteBufUtil.getBytes(DUBBO), "com.example.Orders", "getOrder"),
                Arguments.of(new ThriftProtocol(), ByteBufUtil.getBytes(BINARY), "", "echo"),
                Arguments.of(new ThriftProtocol(), ByteBufUtil.getBytes(COMPACT), "", "echo"));
    }

    private static FrameHead read(FramedProtocol protocol, byte[] frame) throws BadFrame {
        FrameHead head = new FrameHead();
        head.clear();
        protocol.read(Unpooled.wrappedBuffer(frame), head);
        return head;
    }

    @ParameterizedTest
    @MethodSource("frames")
    void namesAreReadAndIdsAreReplaced(FramedProtocol protocol, byte[] frame, String service, String method)
            throws BadFrame {
        FrameHead head = read(protocol, frame);
        assertThat(head.kind).isEqualTo(FrameHead.Kind.REQUEST);
        ByteBuf buffer = Unpooled.wrappedBuffer(frame);
        assertThat(new TextCache().text(buffer, head.serviceAt, head.serviceLength))
                .isEqualTo(service);
        assertThat(new TextCache().text(buffer, head.methodAt, head.methodLength))
                .isEqualTo(method);
        for (long id : new long[] {1, 127, 128, 1_000_000, Integer.MAX_VALUE}) {
            byte[] other =
                    TakenBytes.of(protocol.withId(Unpooled.copiedBuffer(frame), id, UnpooledByteBufAllocator.DEFAULT));
            assertThat(protocol.length(Unpooled.wrappedBuffer(other), 0, other.length))
                    .isEqualTo(other.length);
            assertThat(read(protocol, other).id).isEqualTo(id);
            byte[] back = TakenBytes.of(
                    protocol.withId(Unpooled.copiedBuffer(other), head.id, UnpooledByteBufAllocator.DEFAULT));
            assertThat(back).isEqualTo(frame);
        }
        byte[] error = TakenBytes.of(
                protocol.error(head.form, head.id, method, ErrorKind.NO_NODE, UnpooledByteBufAllocator.DEFAULT));
        assertThat(protocol.length(Unpooled.wrappedBuffer(error), 0, error.length))
                .isEqualTo(error.length);
        FrameHead answer = read(protocol, error);
        assertThat(answer.kind).isEqualTo(FrameHead.Kind.RESPONSE);
        assertThat(answer.id).isEqualTo(head.id);
        assertThat(answer.httpStatus).isGreaterThanOrEqualTo(500);
    }

    @ParameterizedTest
    @MethodSource("frames")
    void everySplitGivesTheSameFrame(FramedProtocol protocol, byte[] frame, String service, String method)
            throws BadFrame {
        for (int cut = 0; cut <= frame.length; cut++) {
            FrameReader reader = new FrameReader(protocol, UnpooledByteBufAllocator.DEFAULT);
            reader.add(Unpooled.copiedBuffer(frame, 0, cut), 4_096);
            ByteBuf whole = reader.next();
            if (whole == null) {
                reader.add(Unpooled.copiedBuffer(frame, cut, frame.length - cut), 4_096);
                whole = reader.next();
            }
            assertThat(whole).isNotNull();
            assertThat(ByteBufUtil.getBytes(whole)).isEqualTo(frame);
            whole.release();
        }
    }

    @ParameterizedTest
    @MethodSource("frames")
    void wrongBytesAreRefusedOrReadWithinTheFrame(
            FramedProtocol protocol, byte[] frame, String service, String method) {
        Random random = new Random(77);
        for (int round = 0; round < 5_000; round++) {
            byte[] bytes = Arrays.copyOf(frame, frame.length);
            for (int i = random.nextInt(3); i >= 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                long length = protocol.length(Unpooled.wrappedBuffer(bytes), 0, bytes.length);
                if (length > 0 && length <= bytes.length) {
                    FrameHead head = read(protocol, Arrays.copyOf(bytes, (int) length));
                    assertThat(head.serviceAt + head.serviceLength).isLessThanOrEqualTo((int) length);
                    assertThat(head.methodAt + head.methodLength).isLessThanOrEqualTo((int) length);
                }
            } catch (BadFrame e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
        }
    }
}
