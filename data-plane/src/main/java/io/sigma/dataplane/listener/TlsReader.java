package io.sigma.dataplane.listener;

import io.sigma.check.GatewayPath;
import io.sigma.check.PathUse;
import io.sigma.dataplane.disk.GatewayDisk;
import io.sigma.dataplane.engine.Engine;
import io.sigma.dataplane.engine.TlsMaterial;
import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.dataplane.watch.UnusableFile;
import io.sigma.dataplane.watch.WatchedFile;
import io.sigma.dataplane.watch.WatchedFiles;
import io.sigma.json.JsonPointer;
import io.sigma.model.Certificate;
import io.sigma.model.ClientAuth;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerTls;
import io.sigma.model.TlsVersion;
import io.sigma.value.CertifiedKey;
import io.sigma.value.InvalidValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads what proxy servers present, from the configuration and from files. What was read is remembered until the next
 * snapshot, so keys are looked at once. To be used by one snapshot at a time; blocks.
 */
public final class TlsReader {

    /** Texts, or paths of files. */
    private record Pair(String chain, String key) {}

    private final GatewayDisk disk;
    private Map<Pair, CertifiedKey> known = new HashMap<>();
    private Map<Pair, CertifiedKey> used = new HashMap<>();
    private Map<Pair, WatchedFile<CertifiedKey>> opened = new HashMap<>();
    private Map<Pair, WatchedFile<CertifiedKey>> usedFiles = new HashMap<>();
    private final WatchedFiles files;

    /**
     * @param files reads certificates in files
     * @param disk says which files may be read
     */
    public TlsReader(WatchedFiles files, GatewayDisk disk) {
        this.files = files;
        this.disk = disk;
    }

    /**
     * Forgets what the last snapshot did not use. Not the files of what is open: they are looked at only as long as
     * they are held here, and any number of snapshots that do not have them may be tried and not served.
     */
    void begin(Collection<ProxyServer> open) {
        known = used;
        used = new HashMap<>();
        opened = usedFiles;
        usedFiles = new HashMap<>();
        for (ProxyServer server : open) {
            Pair paths = paths(server);
            WatchedFile<CertifiedKey> file = paths == null ? null : opened.get(paths);
            if (paths != null && file != null) {
                usedFiles.put(paths, file);
            }
        }
    }

    private static @Nullable Pair paths(ProxyServer server) {
        ServerTls tls = server.tls();
        return tls == null || tls.certPath() == null || tls.keyPath() == null
                ? null
                : new Pair(tls.certPath(), tls.keyPath());
    }

    /** Returns whether the settings of the gateway open the files that {@code server} names. */
    boolean mayRead(ProxyServer server) {
        try {
            for (GatewayPath path : GatewayPath.of(server)) {
                if (path.use() == PathUse.READ) {
                    disk.check(path.use(), path.text());
                }
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Looks whether {@code engine} could open {@code source}.
     *
     * @throws SnapshotRefused when it could not
     */
    static void check(Engine engine, ProxyServer source, @Nullable TlsMaterial tls) {
        try {
            engine.check(source, tls);
        } catch (GeneralSecurityException e) {
            throw new SnapshotRefused(pointer(source), "cannot be used: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw new SnapshotRefused(
                    JsonPointer.of("proxyServers", String.valueOf(source.id())), String.valueOf(e.getMessage()));
        }
    }

    /**
     * Returns what {@code server} needs for TLS, null when it speaks none.
     *
     * @param certificates all that there are, by id
     * @throws SnapshotRefused when a file cannot be read, a key does not fit, or there is no certificate
     */
    public @Nullable TlsMaterial read(ProxyServer server, Map<String, Certificate> certificates) {
        ServerTls tls = server.tls();
        if (tls == null) {
            return null;
        }
        List<CertifiedKey> keys = new ArrayList<>();
        Pair paths = paths(server);
        if (paths != null) {
            keys.add(ofFiles(server, paths));
        }
        boolean all = tls.certificates().isEmpty() && tls.certPath() == null;
        for (String id : all ? new TreeSet<>(certificates.keySet()) : tls.certificates()) {
            keys.add(ofResource(id, certificates));
        }
        if (keys.isEmpty()) {
            throw new SnapshotRefused(pointer(server), "no certificate (expected: at least one to present)");
        }
        String standard = tls.defaultCertificateId();
        return new TlsMaterial(
                keys,
                standard == null ? keys.getFirst() : ofResource(standard, certificates),
                tls.minVersion() == TlsVersion.TLS_1_3,
                tls.clientAuth(),
                tls.clientAuth() == ClientAuth.NONE ? null : tls.clientCa());
    }

    private CertifiedKey ofResource(String id, Map<String, Certificate> certificates) {
        Certificate certificate = certificates.get(id);
        String pointer = JsonPointer.of("certificates", id);
        if (certificate == null) {
            throw new SnapshotRefused(pointer, "absent (expected: a certificate that a proxy server presents)");
        }
        return parse(certificate.chain(), String.valueOf(certificate.privateKey()), pointer);
    }

    private CertifiedKey ofFiles(ProxyServer server, Pair paths) {
        WatchedFile<CertifiedKey> known = opened.get(paths);
        if (known == null) {
            try {
                known = files.open(List.of(paths.chain, paths.key), TlsReader::pair);
            } catch (UnusableFile e) {
                String field = e.index() < 0 ? "" : e.index() == 0 ? "/certPath" : "/keyPath";
                throw new SnapshotRefused(pointer(server) + field, String.valueOf(e.getMessage()));
            }
            opened.put(paths, known);
        } else {
            files.look(known);
        }
        usedFiles.put(paths, known);
        return known.value();
    }

    private static CertifiedKey pair(List<byte[]> contents) throws UnusableFile {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < contents.size(); i++) {
            String text = new String(contents.get(i), StandardCharsets.ISO_8859_1);
            if (!text.contains("-----BEGIN ")) {
                throw new UnusableFile(i, "no PEM block (expected: a PEM file)");
            }
            texts.add(text);
        }
        try {
            return CertifiedKey.parse(texts.get(0), texts.get(1));
        } catch (InvalidValue e) {
            throw new UnusableFile(-1, String.valueOf(e.getMessage()));
        }
    }

    private CertifiedKey parse(String chain, String key, String pointer) {
        Pair pair = new Pair(chain, key);
        CertifiedKey parsed = known.get(pair);
        if (parsed == null) {
            try {
                parsed = CertifiedKey.parse(chain, key);
            } catch (InvalidValue e) {
                throw new SnapshotRefused(pointer, String.valueOf(e.getMessage()));
            }
            known.put(pair, parsed);
        }
        used.put(pair, parsed);
        return parsed;
    }

    private static String pointer(ProxyServer server) {
        return JsonPointer.of("proxyServers", String.valueOf(server.id()), "tls");
    }
}
