package io.sigma.e2e.chaos;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** A connection on which bytes are sent as they are. One thread reads, another may write. */
final class Wire implements Closeable {

    private static final int CONNECT_MILLIS = 5_000;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    private Wire(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
    }

    /**
     * Connects from an address of this machine.
     *
     * @param receiveBytes what the kernel may hold of what was not read, 0 for its default
     */
    static Wire connect(String from, int port, int receiveBytes) throws IOException {
        Socket socket = new Socket();
        try {
            if (receiveBytes > 0) {
                socket.setReceiveBufferSize(receiveBytes);
            }
            socket.setTcpNoDelay(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
            return new Wire(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Begins TLS on this connection and returns what speaks on it; the handshake is not made yet. */
    Wire tls(String version, String... alpn) throws IOException {
        SSLSocket tls =
                (SSLSocket) Tls.context().getSocketFactory().createSocket(socket, "localhost", socket.getPort(), true);
        SSLParameters parameters = tls.getSSLParameters();
        parameters.setProtocols(new String[] {version});
        parameters.setApplicationProtocols(alpn);
        tls.setSSLParameters(parameters);
        return new Wire(tls);
    }

    /** Makes the handshake of TLS, or asks for another one: KeyUpdate in TLS 1.3, renegotiation in TLS 1.2. */
    void handshake() throws IOException {
        ((SSLSocket) socket).startHandshake();
    }

    void timeout(int millis) throws IOException {
        socket.setSoTimeout(millis);
    }

    void send(byte[] bytes) throws IOException {
        out.write(bytes);
    }

    void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Sends each byte by itself. */
    void sendByBytes(String text) throws IOException {
        for (byte b : text.getBytes(StandardCharsets.ISO_8859_1)) {
            out.write(b);
        }
    }

    InputStream in() {
        return in;
    }

    /** Reads and forgets what comes, in a thread of its own, until the connection ends. */
    Wire drained() {
        Thread.ofVirtual().start(() -> {
            try {
                drain();
            } catch (IOException e) {
                close();
            }
        });
        return this;
    }

    /** Reads and forgets what comes until the other side ends. */
    void drain() throws IOException {
        byte[] block = new byte[64 * 1024];
        while (in.read(block) >= 0) {
            // Forgotten.
        }
    }

    /** Says that nothing more is sent; what comes may still be read. */
    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    /** Ends the connection by a reset instead of an orderly close. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        close();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
