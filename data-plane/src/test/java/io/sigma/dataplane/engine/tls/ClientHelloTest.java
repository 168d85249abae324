package io.sigma.dataplane.engine.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ClientHelloTest {

    private static final int SERVER_NAME = 0;
    private static final int ALPN = 16;
    private static final int PADDING = 21;
    private static final int GREASE = 0x2a2a;
    private static final int ECH = 0xfe0d;
    private static final int BEFORE_EXTENSIONS = 2 + 32 + 1 + 2 + 2 + 1 + 1 + 2;

    private static ByteBuf names(String... hosts) {
        ByteBuf list = Unpooled.buffer();
        for (String host : hosts) {
            list.writeByte(0).writeShort(host.length());
            list.writeCharSequence(host, StandardCharsets.ISO_8859_1);
        }
        return extension(
                SERVER_NAME, Unpooled.buffer().writeShort(list.readableBytes()).writeBytes(list));
    }

    private static ByteBuf protocols(String... names) {
        ByteBuf list = Unpooled.buffer();
        for (String name : names) {
            list.writeByte(name.length());
            list.writeCharSequence(name, StandardCharsets.ISO_8859_1);
        }
        return extension(
                ALPN, Unpooled.buffer().writeShort(list.readableBytes()).writeBytes(list));
    }

    private static ByteBuf extension(int type, ByteBuf data) {
        return Unpooled.buffer()
                .writeShort(type)
                .writeShort(data.readableBytes())
                .writeBytes(data);
    }

    private static ByteBuf zeros(int type, int length) {
        return extension(type, Unpooled.buffer().writeZero(length));
    }

    /** Returns a message, in records of at most {@code recordMax} bytes. */
    private static ByteBuf hello(int version, int recordMax, ByteBuf... extensions) {
        ByteBuf all = Unpooled.wrappedBuffer(extensions);
        ByteBuf body = Unpooled.buffer();
        body.writeShort(version).writeZero(32).writeByte(0);
        body.writeShort(2).writeShort(GREASE).writeByte(1).writeByte(0);
        body.writeShort(all.readableBytes()).writeBytes(all);
        ByteBuf message =
                Unpooled.buffer().writeByte(1).writeMedium(body.readableBytes()).writeBytes(body);
        ByteBuf records = Unpooled.buffer();
        while (message.isReadable()) {
            int length = Math.min(recordMax, message.readableBytes());
            records.writeByte(22).writeShort(0x0301).writeShort(length).writeBytes(message, length);
        }
        return records;
    }

    private static ByteBuf hello(ByteBuf... extensions) {
        return hello(0x0303, 16 * 1024, extensions);
    }

    private static @Nullable ClientHello read(ByteBuf bytes) throws ClientHello.Invalid {
        return new ClientHello.Reader().read(bytes);
    }

    @ParameterizedTest
    @CsvSource({
        "mail.example, mail.example",
        "MAIL.Example, mail.example",
        "mail.example., mail.example",
        "10.0.0.1, 10.0.0.1",
        "a b, ",
        "'mail.example\0.evil', ",
        "[::1], ",
        "..,",
        "ma\u00efl.example,"
    })
    void nameIsReadAsItIsCompared(String sent, @Nullable String read) throws Exception {
        assertThat(read(hello(names(sent)))).isEqualTo(new ClientHello(read, List.of()));
    }

    @Test
    void nameThatIsTooLongIsNone() throws Exception {
        String name = "a.".repeat(130) + "example";
        assertThat(read(hello(names(name)))).isEqualTo(new ClientHello(null, List.of()));
    }

    @Test
    void whatItDoesNotKnowIsSkipped() throws Exception {
        ByteBuf all =
                hello(zeros(GREASE, 1), zeros(ECH, 300), protocols("**", "h2"), names("outer.example"), zeros(43, 7));
        assertThat(read(all)).isEqualTo(new ClientHello("outer.example", List.of("**", "h2")));
    }

    @ParameterizedTest
    @ValueSource(ints = {0x0301, 0x0302, 0x0303, 0x0304, 0x7f1c, 0xfafa})
    void versionOfTheMessageIsNoMatter(int version) throws Exception {
        assertThat(read(hello(version, 100, names("mail.example"))))
                .isEqualTo(new ClientHello("mail.example", List.of()));
    }

    @Test
    void messageMayComeInPiecesOfAnySize() throws Exception {
        ByteBuf all = hello(0x0303, 3, names("mail.example"), protocols("h2"));
        ClientHello.Reader reader = new ClientHello.Reader();
        while (all.readableBytes() > 1) {
            assertThat(reader.read(all.readSlice(1))).isNull();
        }
        assertThat(reader.read(all)).isEqualTo(new ClientHello("mail.example", List.of("h2")));
    }

    @Test
    void longestMessageIsRead() throws Exception {
        ByteBuf name = names("mail.example");
        int rest = ClientHello.BYTES_MAX - BEFORE_EXTENSIONS - name.readableBytes() - 4;
        ByteBuf longest = hello(zeros(PADDING, rest), name.copy());
        assertThat(read(longest)).isEqualTo(new ClientHello("mail.example", List.of()));
        assertThatThrownBy(() -> read(hello(zeros(PADDING, rest + 1), name.copy())))
                .isInstanceOf(ClientHello.Invalid.class)
                .hasMessageContaining("16385 bytes");
    }

    /** A node could read another name than the one that has chosen it. */
    @Test
    void nameIsNotReadWhereThereAreTwo() {
        for (ByteBuf twice : List.of(
                hello(names("one.example", "two.example")),
                hello(names("one.example", "one.example")),
                hello(names("one.example"), names("two.example")),
                hello(protocols("h2"), protocols("http/1.1")))) {
            assertThatThrownBy(() -> read(twice))
                    .isInstanceOf(ClientHello.Invalid.class)
                    .hasMessageContaining("twice");
        }
    }

    @Test
    void whatIsNoFirstMessageIsInvalid() {
        ByteBuf cut = hello(names("mail.example"));
        // Its extensions end behind the message.
        cut.setShort(5 + 4 + BEFORE_EXTENSIONS - 2, 1_000);
        byte[] sslV2 = {(byte) 0x80, 0x2e, 1, 3, 1, 0, 0x15, 0, 0, 0, 0x10};
        byte[] alert = {21, 3, 1, 0, 2, 2, 40};
        byte[] otherVersion = {22, 2, 0, 0, 5};
        byte[] tooLongRecord = {22, 3, 1, 0x40, 1};
        for (ByteBuf bad : List.of(
                cut,
                Unpooled.wrappedBuffer(sslV2),
                Unpooled.wrappedBuffer(alert),
                Unpooled.wrappedBuffer(otherVersion),
                Unpooled.wrappedBuffer(tooLongRecord),
                hello(extension(SERVER_NAME, Unpooled.EMPTY_BUFFER)))) {
            assertThatThrownBy(() -> read(bad)).isInstanceOf(ClientHello.Invalid.class);
        }
    }
}
