package io.sigma.dataplane.http2;

import static io.sigma.dataplane.testkit.RawHttp2.END_HEADERS;
import static io.sigma.dataplane.testkit.RawHttp2.END_STREAM;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestSettings;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Octets of frames that a client writes by hand. */
abstract class Http2ClientFramesContract extends EngineContract {

    static final int PRIORITY_UPDATE = 0x10;

    static final int WHOLE = END_HEADERS | END_STREAM;

    @Override
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir).loops(1).build();
    }

    static byte[] octets(int... values) {
        byte[] all = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            all[i] = (byte) values[i];
        }
        return all;
    }

    static byte[] number(long value) {
        return ByteBuffer.allocate(4).putInt((int) value).array();
    }

    static byte[] setting(int id, long value) {
        return ByteBuffer.allocate(6).putShort((short) id).putInt((int) value).array();
    }

    /** Returns a block that has these octets behind those of a request. */
    static byte[] behindHead(int... octets) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.writeBytes(RawHttp2.head());
        block.writeBytes(octets(octets));
        return block.toByteArray();
    }
}
