package io.sigma.dataplane.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.FrameNode;
import io.sigma.dataplane.testkit.RawHttp2;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Fields that no table of compression may hold, from hop to hop (RFC 7541 §6.2.3, §7.1.3). */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class NeverIndexedTest extends EngineContract {

    private static final int END = RawHttp2.END_HEADERS | RawHttp2.END_STREAM;
    private static final int NEVER = 0x10;

    /** Returns a field that is never indexed, as a literal. */
    private static byte[] never(String name, String value) {
        byte[] field = RawHttp2.fields(name, value);
        field[0] = NEVER;
        return field;
    }

    private static byte[] joined(byte[]... parts) {
        java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    /** Returns those of {@code fields}, which are those of the block, that are never indexed in it. */
    private static List<String> neverIndexed(byte[] block, List<String> fields) {
        List<String> found = new ArrayList<>();
        int[] at = {0};
        int field = 0;
        while (at[0] < block.length) {
            int first = block[at[0]] & 0xff;
            if (first >= 0x80) {
                number(block, at, 7);
            } else if (first >= 0x40) {
                literal(block, at, 6);
            } else if (first >= 0x20) {
                number(block, at, 5);
                continue;
            } else {
                literal(block, at, 4);
                if (first >= NEVER) {
                    found.add(fields.get(field));
                }
            }
            field++;
        }
        assertThat(field).isEqualTo(fields.size());
        return found;
    }

    private static void literal(byte[] block, int[] at, int bits) {
        if (number(block, at, bits) == 0) {
            skip(block, at);
        }
        skip(block, at);
    }

    private static void skip(byte[] block, int[] at) {
        int length = number(block, at, 7);
        at[0] += length;
    }

    private static int number(byte[] block, int[] at, int bits) {
        int mask = (1 << bits) - 1;
        int number = block[at[0]++] & mask;
        if (number == mask) {
            int shift = 0;
            int octet;
            do {
                octet = block[at[0]++];
                number += (octet & 0x7f) << shift;
                shift += 7;
            } while (octet < 0);
        }
        return number;
    }

    private static List<String> neverIndexedAt(FrameNode node, int request) {
        byte[] block = node.frames().stream()
                .filter(frame -> frame.type() == RawHttp2.HEADERS)
                .toList()
                .get(request)
                .payload();
        return neverIndexed(block, node.heads().get(request).fields());
    }

    private static void answer(FrameNode.Head request, FrameNode.Connection connection) throws IOException {
        if (!request.end()) {
            return;
        }
        connection.send(
                RawHttp2.HEADERS,
                RawHttp2.END_HEADERS,
                request.stream(),
                joined(RawHttp2.fields(":status", "200", "x-open", "4"), never("x-token", "3")));
        connection.send(
                RawHttp2.HEADERS, END, request.stream(), joined(never("x-sum", "5"), RawHttp2.fields("x-a", "6")));
    }

    private Config serving(FrameNode node) {
        return forwarding(node.url()).overHttp2();
    }

    @Test
    void whatComesAsNeverIndexedLeavesSo() throws Exception {
        try (FrameNode node = FrameNode.start(NeverIndexedTest::answer)) {
            gateway().apply(serving(node));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                for (int i = 0; i < 2; i++) {
                    client.send(
                            RawHttp2.HEADERS,
                            RawHttp2.END_HEADERS,
                            1 + 2 * i,
                            joined(RawHttp2.head("x-plain", "1"), never("x-secret", "2"), RawHttp2.fields("x-b", "7")));
                    client.send(
                            RawHttp2.HEADERS, END, 1 + 2 * i, joined(never("x-end", "8"), RawHttp2.fields("x-c", "9")));
                    RawHttp2.Frame head = client.next();
                    assertThat(neverIndexed(head.payload(), client.decoded(head)))
                            .containsExactly("x-token: 3");
                    RawHttp2.Frame trailers = client.next();
                    assertThat(neverIndexed(trailers.payload(), client.decoded(trailers)))
                            .containsExactly("x-sum: 5");
                    assertThat(neverIndexedAt(node, 2 * i)).containsExactly("x-secret: 2");
                    assertThat(neverIndexedAt(node, 2 * i + 1)).containsExactly("x-end: 8");
                }
            }
        }
    }

    @Test
    void credentialsOfClientsEnterNoTableThatTheyShare() throws Exception {
        try (FrameNode node = FrameNode.start(NeverIndexedTest::answer)) {
            gateway().apply(serving(node));
            for (int i = 0; i < 2; i++) {
                assertThat(exchange(
                                        "GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer b\r\nAccept: c\r\nCookie: d=e\r\n\r\n")
                                .status())
                        .isEqualTo(200);
                assertThat(neverIndexedAt(node, i)).containsExactlyInAnyOrder("authorization: Bearer b", "cookie: d=e");
            }
        }
    }
}
