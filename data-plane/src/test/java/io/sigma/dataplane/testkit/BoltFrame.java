package io.sigma.dataplane.testkit;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32;

/** A frame of Bolt, byte by byte as its description has it. */
public final class BoltFrame {

    public static final int RESPONSE = 0;
    public static final int REQUEST = 1;
    public static final int ONE_WAY = 2;

    private final int protocol;
    private final boolean checked;
    private int type = REQUEST;
    private int command = 1;
    private int id = 7;
    private int timeoutMillis = 3_000;
    private int status;
    private byte[] className = "com.example.Order".getBytes(StandardCharsets.UTF_8);
    private final Map<String, String> headers = new LinkedHashMap<>();
    private byte[] content = {1, 2, 3};

    private BoltFrame(int protocol, boolean checked) {
        this.protocol = protocol;
        this.checked = checked;
    }

    public static BoltFrame v1() {
        return new BoltFrame(1, false);
    }

    /**
     * @param checked whether it ends with a checksum
     */
    public static BoltFrame v2(boolean checked) {
        return new BoltFrame(2, checked);
    }

    public BoltFrame type(int value) {
        type = value;
        command = value == RESPONSE ? 2 : 1;
        return this;
    }

    public BoltFrame heartbeat() {
        command = 0;
        className = new byte[0];
        content = new byte[0];
        return this;
    }

    public BoltFrame id(int value) {
        id = value;
        return this;
    }

    public BoltFrame timeoutMillis(int value) {
        timeoutMillis = value;
        return this;
    }

    public BoltFrame status(int value) {
        status = value;
        return this;
    }

    public BoltFrame className(String value) {
        className = value.getBytes(StandardCharsets.UTF_8);
        return this;
    }

    public BoltFrame header(String key, String value) {
        headers.put(key, value);
        return this;
    }

    public BoltFrame content(byte[] value) {
        content = value;
        return this;
    }

    public byte[] bytes() {
        ByteBuf pairs = Unpooled.buffer();
        headers.forEach((key, value) -> {
            for (String text : new String[] {key, value}) {
                byte[] octets = text.getBytes(StandardCharsets.UTF_8);
                pairs.writeInt(octets.length).writeBytes(octets);
            }
        });
        ByteBuf out = Unpooled.buffer();
        out.writeByte(protocol);
        if (protocol == 2) {
            out.writeByte(2);
        }
        out.writeByte(type).writeShort(command).writeByte(1).writeInt(id).writeByte(1);
        if (protocol == 2) {
            out.writeByte(checked ? 1 : 0);
        }
        if (type == RESPONSE) {
            out.writeShort(status);
        } else {
            out.writeInt(timeoutMillis);
        }
        out.writeShort(className.length).writeShort(pairs.readableBytes()).writeInt(content.length);
        out.writeBytes(className).writeBytes(pairs).writeBytes(content);
        if (checked) {
            CRC32 sum = new CRC32();
            sum.update(out.array(), 0, out.readableBytes());
            out.writeInt((int) sum.getValue());
        }
        byte[] bytes = new byte[out.readableBytes()];
        out.readBytes(bytes);
        return bytes;
    }
}
