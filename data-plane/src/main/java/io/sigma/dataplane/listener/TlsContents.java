package io.sigma.dataplane.listener;

import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.json.JsonPointer;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerTls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What the TLS files of a proxy server hold, by its hash: files that are renewed in place are a change too.
 *
 * @param hash empty without TLS
 */
record TlsContents(String hash) {

    /**
     * Reads the files. Blocks.
     *
     * @throws SnapshotRefused when one cannot be read or holds no PEM
     */
    static TlsContents read(ProxyServer server) {
        ServerTls tls = server.tls();
        if (tls == null) {
            return new TlsContents("");
        }
        byte[] certificates = bytes(server, "certPath", tls.certPath());
        byte[] key = bytes(server, "keyPath", tls.keyPath());
        try {
            KeyPairs.check(
                    new String(certificates, StandardCharsets.US_ASCII), new String(key, StandardCharsets.US_ASCII));
        } catch (IllegalArgumentException e) {
            throw new SnapshotRefused(
                    JsonPointer.of("proxyServers", String.valueOf(server.id()), "tls"), String.valueOf(e.getMessage()));
        }
        MessageDigest digest = sha256();
        digest.update(certificates);
        digest.update(key);
        return new TlsContents(HexFormat.of().formatHex(digest.digest()));
    }

    private static byte[] bytes(ProxyServer server, String field, String path) {
        String pointer = JsonPointer.of("proxyServers", String.valueOf(server.id()), "tls", field);
        try {
            byte[] bytes = Files.readAllBytes(Path.of(path));
            if (!new String(bytes, StandardCharsets.US_ASCII).contains("-----BEGIN ")) {
                throw new SnapshotRefused(pointer, "\"" + path + "\" (expected: a PEM file)");
            }
            return bytes;
        } catch (IOException | InvalidPathException e) {
            throw new SnapshotRefused(pointer, "\"" + path + "\" cannot be read: " + e.getMessage());
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
