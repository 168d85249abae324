package io.sigma.dataplane.http2;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.FrameNode;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.model.Pool;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.provider.Arguments;

/** A gateway with one connection to a node that sends whatever frames a test wants. */
abstract class NodeFramesContract extends EngineContract {

    static final int PRIORITY_FRAME = 2;
    static final int PUSH_PROMISE = 5;
    static final int PRIORITY_UPDATE = 0x10;
    static final int UNKNOWN = 0x55;
    static final int ACK = 1;
    static final int PADDED = 8;
    static final int PROTOCOL_ERROR = 1;
    static final int FLOW_CONTROL_ERROR = 3;
    static final int STREAM_CLOSED = 5;
    static final int FRAME_SIZE_ERROR = 6;
    static final int COMPRESSION_ERROR = 9;

    /** What a node sends where its answer is asked for. */
    @FunctionalInterface
    interface Sending {
        void send(int stream, FrameNode.Connection node) throws Exception;
    }

    @Override
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir).loops(1).build();
    }

    void serve(FrameNode node) {
        gateway()
                .apply(forwarding(node.url())
                        .overHttp2()
                        .pooled(Pool.builder().connectionsMax(1))
                        .patient("pass"));
    }

    static byte[] octets(int... values) {
        byte[] all = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            all[i] = (byte) values[i];
        }
        return all;
    }

    static byte[] setting(int id, long value) {
        return octets(id >> 8, id, (int) (value >> 24), (int) (value >> 16), (int) (value >> 8), (int) value);
    }

    static byte[] number(long value) {
        return octets((int) (value >> 24), (int) (value >> 16), (int) (value >> 8), (int) value);
    }

    static byte[] joined(byte[]... parts) {
        byte[] all = new byte[Arrays.stream(parts).mapToInt(part -> part.length).sum()];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }

    /** A case whose answer is the error {@code code}. */
    static Arguments error(int code, String what, Sending sending) {
        return Arguments.argumentSet(what, code, sending);
    }

    static List<RawHttp2.Frame> resets(FrameNode node) {
        return node.frames().stream()
                .filter(frame -> frame.type() == RawHttp2.RST_STREAM)
                .toList();
    }
}
