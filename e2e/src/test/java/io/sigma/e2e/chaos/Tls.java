package io.sigma.e2e.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** TLS of clients that believe every certificate, and a certificate for what they connect to. */
public final class Tls {

    private static final SSLContext CONTEXT = trusting();

    private Tls() {}

    public static SSLContext context() {
        return CONTEXT;
    }

    private static SSLContext trusting() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustEveryone()}, new SecureRandom());
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the first flight of a client. */
    static byte[] clientHello() throws IOException {
        SSLEngine engine = CONTEXT.createSSLEngine("localhost", 443);
        engine.setUseClientMode(true);
        ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), record);
        byte[] bytes = new byte[record.flip().remaining()];
        record.get(bytes);
        return bytes;
    }

    /** Writes {@code key.pem} and {@code cert.pem} of a certificate for localhost into a folder. */
    public static void certificate(Path folder) throws IOException {
        Path store = folder.resolve("localhost.p12");
        String password = "not-a-secret";
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "localhost",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-validity",
                        "365",
                        "-keystore",
                        store.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        password))
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try (InputStream in = Files.newInputStream(store)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, password.toCharArray());
            pem(
                    folder.resolve("key.pem"),
                    "PRIVATE KEY",
                    keys.getKey("localhost", password.toCharArray()).getEncoded());
            pem(
                    folder.resolve("cert.pem"),
                    "CERTIFICATE",
                    keys.getCertificate("localhost").getEncoded());
        } catch (IOException | GeneralSecurityException e) {
            throw new IOException("keytool said: " + said, e);
        }
    }

    private static void pem(Path file, String label, byte[] der) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        Files.writeString(file, "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n");
    }

    /** Believes everybody, under any name; the tests attack, they keep no secret. */
    private static final class TrustEveryone extends X509ExtendedTrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {
            // Believed.
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            // Believed.
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {
            // Believed.
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
            // Believed.
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
            // Believed.
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
            // Believed.
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
