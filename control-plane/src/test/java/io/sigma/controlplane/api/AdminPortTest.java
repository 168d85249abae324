package io.sigma.controlplane.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attacks of clients without credentials on a control plane of 256 MB. */
final class AdminPortTest extends SmallControlPlane {

    private static final String EDITOR_TOKEN = "{\"name\":\"ed\",\"role\":\"EDITOR\"}";

    private final List<Socket> sockets = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private Socket open(String from, String head) throws IOException {
        int port = URI.create(client.base()).getPort();
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.ofLiteral(from), 0);
        sockets.add(socket);
        socket.setSoTimeout(60_000);
        write(socket, head.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** Sends what the other side still takes. */
    private static void write(Socket socket, byte[] bytes) {
        try {
            OutputStream out = socket.getOutputStream();
            out.write(bytes);
            out.flush();
        } catch (IOException e) {
            // The port may refuse by closing before it has read all bytes.
        }
    }

    private static String statusLine(Socket socket) throws IOException {
        return String.valueOf(
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                        .readLine());
    }

    private static String head(String method, String path, int length, String... fields) {
        StringBuilder head = new StringBuilder(method + " " + path
                + " HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: " + length + "\r\n");
        for (String field : fields) {
            head.append(field).append("\r\n");
        }
        return head.append("\r\n").toString();
    }

    private void serves() {
        assertThat(client.get("/routes").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.0", "HTTP/1.1", "HTTP/1.9"})
    void statusLineHasTheVersionOfTheServer(String version) throws IOException {
        for (String line : new String[] {"GET /api/v1/health ", "GET /nothing ", "NO SUCH "}) {
            Socket socket = open("127.0.0.1", line + version + "\r\nHost: a\r\nConnection: close\r\n\r\n");
            assertThat(statusLine(socket)).as(line).startsWith("HTTP/1.1 ");
        }
    }

    @Test
    void halfHeadsOfOneAddressShutNobodyOut() throws IOException {
        for (int i = 0; i < 1_030; i++) {
            open("127.0.0.1", "GET /api/v1/health HTTP/1.1\r\nHost: a\r\n");
        }
        assertThat(statusLine(open("127.0.0.1", "GET /api/v1/health HTTP/1.1\r\nHost: a\r\n\r\n")))
                .isEqualTo("HTTP/1.1 200 OK");
        assertThat(statusLine(open("127.0.0.2", "GET /api/v1/health HTTP/1.1\r\nHost: a\r\n\r\n")))
                .isEqualTo("HTTP/1.1 200 OK");
        serves();
    }

    @Test
    void halfHeadsOfManyAddressesShutNobodyOut() throws IOException {
        for (int i = 0; i < 1_030; i++) {
            open("127.0.1." + (1 + i % 100), "GET /api/v1/health HTTP/1.1\r\n");
        }
        assertThat(statusLine(open("127.0.0.9", "GET /api/v1/health HTTP/1.1\r\nHost: a\r\n\r\n")))
                .isEqualTo("HTTP/1.1 200 OK");
        serves();
    }

    @Test
    void unfinishedLoginsEndNothing() throws IOException {
        for (int i = 0; i < 400; i++) {
            Socket socket = open("127.0.2." + (1 + i % 8), head("POST", "/api/v1/session", MIB));
            write(socket, new byte[64 * 1024]);
        }
        assertThat(statusLine(sockets.getLast())).isEqualTo("HTTP/1.1 413 Request Entity Too Large");
        for (int i = 0; i < 400; i++) {
            write(open("127.0.3." + (1 + i % 8), head("POST", "/api/v1/session", 4096)), new byte[4000]);
        }
        serves();
    }

    @Test
    void aBodyOfNobodyIsNotWaitedFor() throws IOException {
        assertThat(statusLine(open("127.0.0.1", head("PUT", "/api/v1/routes/a", MIB))))
                .isEqualTo("HTTP/1.1 401 Unauthorized");
        assertThat(statusLine(
                        open("127.0.0.1", head("PUT", "/api/v1/config", 60 * MIB, "Authorization: Bearer wrong"))))
                .isEqualTo("HTTP/1.1 401 Unauthorized");
        assertThat(statusLine(open("127.0.0.1", head("POST", "/api/v1/nothing", MIB))))
                .isEqualTo("HTTP/1.1 401 Unauthorized");
    }

    @Test
    void unfinishedBodiesOfAnEditorEndNothing() throws IOException {
        String token = client.post("/tokens", EDITOR_TOKEN).json().path("token").asText();
        String authorization = "Authorization: Bearer " + token;
        byte[] most = new byte[MIB - 1];
        for (int i = 0; i < 400; i++) {
            Socket socket = open("127.0.4." + (1 + i % 8), head("PUT", "/api/v1/routes/a", MIB, authorization));
            write(socket, most);
        }
        assertThat(client.put("/proxy-servers/among", "{\"port\":18101}").status())
                .as("another account")
                .isEqualTo(201);
        assertThat(client.put("/proxy-servers/same", "{\"port\":18102}", "Authorization", "Bearer " + token)
                        .status())
                .as("the same account")
                .isEqualTo(201);
        serves();
    }

    @Test
    void noPathIsTooDeep() throws IOException {
        long before = Files.size(dir.resolve("stderr.log"));
        for (String segment : new String[] {"/a", "//", "/%41", "/..", "/.", "/a.b", "/-", "/{id}", "/:a"}) {
            for (String base : new String[] {"", "/api/v1", "/assets", "/api/v1/routes"}) {
                for (int length : new int[] {900, 4_000, 32_000, 60_000}) {
                    String path = base + segment.repeat((length - base.length()) / segment.length());
                    String line = statusLine(open("127.0.0.1", "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n"));
                    assertThat(line).as(path.substring(0, 20) + " " + length).startsWith("HTTP/1.1 4");
                }
            }
        }
        assertThat(statusLine(open("127.0.0.1", "GET " + "/a".repeat(16_000) + " HTTP/1.1\r\nHost: a\r\n\r\n")))
                .isEqualTo("HTTP/1.1 414 Request-URI Too Long");
        serves();
        String said = Files.readString(dir.resolve("stderr.log")).substring((int) before);
        assertThat(said).doesNotContain("StackOverflowError", "\tat ");
    }

    @Test
    void whoSendsRequestsWithoutReadingIsCutOff() throws IOException {
        Socket socket = open("127.0.0.1", "");
        byte[] many = "GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n".repeat(2_000).getBytes(StandardCharsets.US_ASCII);
        boolean cut = false;
        for (int i = 0; i < 500 && !cut; i++) {
            try {
                socket.getOutputStream().write(many);
            } catch (IOException e) {
                cut = true;
            }
        }
        assertThat(cut).isTrue();
        serves();
    }
}
