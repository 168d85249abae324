package io.sigma.dataplane.engine.framed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.testkit.BoltFrame;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class BoltProtocolTest {

    private final BoltProtocol protocol = new BoltProtocol();

    static Stream<BoltFrame> frames() {
        return Stream.of(BoltFrame.v1(), BoltFrame.v2(false), BoltFrame.v2(true));
    }

    private FrameHead read(byte[] frame) throws BadFrame {
        FrameHead head = new FrameHead();
        ByteBuf buffer = Unpooled.wrappedBuffer(frame);
        assertThat(protocol.length(buffer, 0, frame.length)).isEqualTo(frame.length);
        head.clear();
        protocol.read(buffer, head);
        return head;
    }

    @ParameterizedTest
    @MethodSource("frames")
    void requestIsRead(BoltFrame frame) throws BadFrame {
        byte[] bytes = frame.id(-2)
                .timeoutMillis(1_234)
                .header("service", "com.example.Orders:1.0")
                .header("empty", "")
                .bytes();
        FrameHead head = read(bytes);
        ByteBuf buffer = Unpooled.wrappedBuffer(bytes);
        assertThat(head.kind).isEqualTo(FrameHead.Kind.REQUEST);
        assertThat(head.id).isEqualTo(0xffff_fffeL);
        assertThat(head.timeoutMillis).isEqualTo(1_234);
        assertThat(new TextCache().text(buffer, head.serviceAt, head.serviceLength))
                .isEqualTo("com.example.Order");
        assertThat(protocol.header(buffer, head, "service")).isEqualTo("com.example.Orders:1.0");
        assertThat(protocol.header(buffer, head, "empty")).isEmpty();
        assertThat(protocol.header(buffer, head, "servic")).isNull();
    }

    @ParameterizedTest
    @MethodSource("frames")
    void onlyTheIdChanges(BoltFrame frame) {
        byte[] before = frame.id(7).bytes();
        byte[] after = frame.id(1_000_007).bytes();
        ByteBuf changed = protocol.withId(Unpooled.copiedBuffer(before), 1_000_007, UnpooledByteBufAllocator.DEFAULT);
        assertThat(ByteBufUtil.getBytes(changed)).isEqualTo(after);
        assertThat(TakenBytes.of(protocol.withId(changed, 7, UnpooledByteBufAllocator.DEFAULT)))
                .isEqualTo(before);
    }

    @ParameterizedTest
    @MethodSource("frames")
    void kindsAreToldApart(BoltFrame frame) throws BadFrame {
        assertThat(read(frame.type(BoltFrame.ONE_WAY).bytes()).kind).isEqualTo(FrameHead.Kind.ONE_WAY);
        FrameHead answer = read(frame.type(BoltFrame.RESPONSE).status(7).bytes());
        assertThat(answer.kind).isEqualTo(FrameHead.Kind.RESPONSE);
        assertThat(answer.status).isEqualTo(7);
        assertThat(answer.httpStatus).isEqualTo(504);
        assertThat(read(frame.type(BoltFrame.REQUEST).heartbeat().bytes()).kind).isEqualTo(FrameHead.Kind.HEARTBEAT);
    }

    @ParameterizedTest
    @MethodSource("frames")
    void answersOfTheGatewayAreFrames(BoltFrame frame) throws BadFrame {
        FrameHead request = read(frame.id(99).bytes());
        for (ErrorKind kind : ErrorKind.values()) {
            FrameHead answer = read(TakenBytes.of(
                    protocol.error(request.form, request.id, "", kind, UnpooledByteBufAllocator.DEFAULT)));
            assertThat(answer.kind).isEqualTo(FrameHead.Kind.RESPONSE);
            assertThat(answer.id).isEqualTo(99);
            assertThat(answer.status).as(kind.label()).isBetween(2, 9);
        }
        FrameHead heartbeat = read(frame.heartbeat().bytes());
        FrameHead alive = read(TakenBytes.of(protocol.heartbeatAnswer(heartbeat, UnpooledByteBufAllocator.DEFAULT)));
        assertThat(alive.kind).isEqualTo(FrameHead.Kind.HEARTBEAT_ANSWER);
        assertThat(alive.id).isEqualTo(99);
        assertThat(alive.status).isZero();
    }

    /** What servers answer on a connection whose first request had another version. */
    @ParameterizedTest
    @MethodSource("frames")
    void answerHasTheVersionOfItsRequest(BoltFrame asked) throws BadFrame {
        FrameHead request = read(asked.id(99).bytes());
        byte[] expected = answerOf(asked, 99);
        for (BoltFrame given : List.of(BoltFrame.v1(), BoltFrame.v2(false), BoltFrame.v2(true))) {
            byte[] answer = answerOf(given, 5);
            ByteBuf passed = protocol.answer(
                    Unpooled.copiedBuffer(answer), request.form, request.id, UnpooledByteBufAllocator.DEFAULT);
            byte[] bytes = TakenBytes.of(passed);
            if (bytes[0] == answer[0]) {
                // Within version 2, it says itself whether it has a checksum.
                assertThat(read(bytes).id).isEqualTo(99);
            } else {
                assertThat(bytes).isEqualTo(expected);
            }
        }
    }

    private static byte[] answerOf(BoltFrame frame, int id) {
        return frame.type(BoltFrame.RESPONSE)
                .status(0)
                .id(id)
                .header("key", "value")
                .content(new byte[] {1, 2, 3})
                .bytes();
    }

    @Test
    void errorsHaveTheStatusesOfTheProtocol() throws BadFrame {
        for (var expected : List.of(
                new Object[] {ErrorKind.NO_NODE, 5},
                new Object[] {ErrorKind.CONNECT_FAILED, 5},
                new Object[] {ErrorKind.UPSTREAM_RESET, 5},
                new Object[] {ErrorKind.CONNECTION_ENDED, 5},
                new Object[] {ErrorKind.CIRCUIT_OPEN, 4},
                new Object[] {ErrorKind.QUEUE_FULL, 4},
                new Object[] {ErrorKind.HOLDS_TOO_MUCH, 4},
                new Object[] {ErrorKind.NO_ROUTE, 6},
                new Object[] {ErrorKind.TOTAL_TIMEOUT, 7},
                new Object[] {ErrorKind.CONNECT_TIMEOUT, 7},
                new Object[] {ErrorKind.INTERNAL, 2})) {
            ByteBuf answer = protocol.error(1, 1, "", (ErrorKind) expected[0], UnpooledByteBufAllocator.DEFAULT);
            assertThat(read(TakenBytes.of(answer)).status).isEqualTo(expected[1]);
        }
    }

    static Stream<byte[]> invalid() {
        byte[] wrongSum = BoltFrame.v2(true).bytes();
        wrongSum[30] ^= 1;
        return Stream.of(
                changed(BoltFrame.v1().bytes(), 0, 3),
                changed(BoltFrame.v1().bytes(), 1, 3),
                changed(BoltFrame.v2(false).bytes(), 1, 3),
                // Lengths that peers would read as negative.
                changed(BoltFrame.v1().bytes(), 14, 0x80),
                changed(BoltFrame.v1().bytes(), 16, 0x80),
                changed(BoltFrame.v1().bytes(), 18, 0x80),
                // A command that does not go with the type.
                changed(BoltFrame.v1().bytes(), 3, 2),
                changed(BoltFrame.v1().bytes(), 3, 9),
                // Header pairs that end elsewhere.
                changed(BoltFrame.v1().className("").header("k", "v").bytes(), 25, 9),
                changed(BoltFrame.v1().className("").header("k", "v").bytes(), 25, 6),
                wrongSum);
    }

    private static byte[] changed(byte[] frame, int at, int value) {
        frame[at] = (byte) value;
        return frame;
    }

    @ParameterizedTest
    @MethodSource("invalid")
    void invalidFramesAreRefused(byte[] frame) {
        assertThatThrownBy(() -> read(frame)).isInstanceOf(BadFrame.class);
    }
}
