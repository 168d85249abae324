package io.sigma.dataplane.engine.tls;

import io.sigma.dataplane.engine.TlsMaterial;
import io.sigma.value.CertifiedKey;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The certificates of a listener: an exact name before a wildcard before the default, and of several for one name one
 * with a key that the client takes. They are replaced under the TLS context, so its sessions can be resumed.
 * Thread-safe.
 */
public final class SniKeys extends OwnKeys {

    /**
     * @param byAlias an alias never means another key, so a handshake that began with the previous table ends with it,
     *     and a key has the same one in the next table: OpenSSL keeps what it parsed by the alias, for as long as there
     *     is the context
     */
    private record Table(
            Map<String, CertifiedKey> byAlias,
            Map<String, List<String>> exact,
            Map<String, List<String>> wildcards,
            List<String> standard) {}

    private static final String[] NONE = {};

    // Immutable tables; the one before is kept for handshakes under way.
    private volatile Table table;
    private volatile Table before;
    private volatile boolean fitOpenSsl;

    SniKeys(TlsMaterial material) {
        this.table = table(material, 0, Map.of());
        this.before = table;
        expect(material);
    }

    /** Notes what will be presented, for contexts that are made before it is. */
    void expect(TlsMaterial material) {
        fitOpenSsl = fitOpenSsl(material);
    }

    @Override
    boolean fitOpenSsl() {
        return fitOpenSsl;
    }

    static boolean fitOpenSsl(TlsMaterial material) {
        return material.keys().stream().allMatch(key -> fitsOpenSsl(key.key()));
    }

    /** Presents something else in handshakes that begin from now on. */
    synchronized void replace(TlsMaterial material) {
        Map<CertifiedKey, String> aliases = new HashMap<>();
        table.byAlias.forEach((alias, key) -> aliases.put(key, alias));
        before = table;
        table = table(material, System.nanoTime(), aliases);
    }

    /** Returns whether a client that asked for {@code name} was presented what one that asks for {@code host} is. */
    public boolean servesAlike(String name, String host) {
        Table now = table;
        return candidates(now, name).equals(candidates(now, host));
    }

    /** Returns what is presented to a client that asks for {@code name}, one for each type of key. */
    public static List<CertifiedKey> presented(TlsMaterial material, String name) {
        Table table = table(material, 0, Map.of());
        return candidates(table, name).stream()
                .map(alias -> Objects.requireNonNull(table.byAlias.get(alias)))
                .toList();
    }

    /** Returns the name that the client asked for, null when it asked for none. */
    public static @Nullable String requestedName(@Nullable SSLSession session) {
        if (session instanceof ExtendedSSLSession extended) {
            try {
                for (SNIServerName name : extended.getRequestedServerNames()) {
                    if (name instanceof SNIHostName host) {
                        return host.getAsciiName().toLowerCase(Locale.ROOT);
                    }
                }
            } catch (IllegalArgumentException e) {
                // OpenSSL accepts server names that are not host names. No SNIHostName can be made of them.
            }
        }
        return null;
    }

    /**
     * @param generation is another one each time
     * @param aliases that keys have already
     */
    private static Table table(TlsMaterial material, long generation, Map<CertifiedKey, String> aliases) {
        Map<CertifiedKey, String> mine = new HashMap<>();
        Map<String, CertifiedKey> byAlias = new HashMap<>();
        Map<String, List<String>> exact = new HashMap<>();
        Map<String, List<String>> wildcards = new HashMap<>();
        List<String> standard = new ArrayList<>();
        List<CertifiedKey> keys = material.keys();
        for (int i = 0; i < keys.size(); i++) {
            CertifiedKey key = keys.get(i);
            if (mine.containsKey(key)) {
                // Two resources may be one certificate.
                continue;
            }
            String known = aliases.get(key);
            String alias = known != null ? known : generation + "-" + i;
            mine.put(key, alias);
            byAlias.put(alias, key);
            for (String host : key.hosts()) {
                boolean wildcard = host.startsWith("*.");
                (wildcard ? wildcards : exact)
                        .computeIfAbsent(wildcard ? host.substring(1) : host, absent -> new ArrayList<>())
                        .add(alias);
            }
            if (key.equals(material.standard())) {
                standard.addFirst(alias);
            } else if (key.hosts().equals(material.standard().hosts())) {
                standard.add(alias);
            }
        }
        return new Table(Map.copyOf(byAlias), Map.copyOf(exact), Map.copyOf(wildcards), List.copyOf(standard));
    }

    private static List<String> candidates(Table table, @Nullable String name) {
        if (name == null) {
            return table.standard;
        }
        List<String> exact = table.exact.get(name);
        if (exact != null) {
            return exact;
        }
        int dot = name.indexOf('.');
        List<String> wildcard = dot < 0 ? null : table.wildcards.get(name.substring(dot));
        return wildcard != null ? wildcard : table.standard;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
        Table now = table;
        SSLSession session = engine.getHandshakeSession();
        List<String> candidates = candidates(now, requestedName(session));
        for (String alias : candidates) {
            CertifiedKey key = now.byAlias.get(alias);
            if (key != null
                    && fits(key.key().getAlgorithm(), keyType)
                    && (candidates.size() == 1 || isVerifiable(key.key().getAlgorithm(), session))) {
                return alias;
            }
        }
        return null;
    }

    /** OpenSSL asks for keys of all types; which signatures the client can verify must be looked up. */
    private static boolean isVerifiable(String algorithm, @Nullable SSLSession session) {
        if (!(session instanceof ExtendedSSLSession extended)) {
            return true;
        }
        String[] signatures = extended.getPeerSupportedSignatureAlgorithms();
        String part = algorithm.equals("EC") ? "ECDSA" : "RSA";
        return signatures == null
                || signatures.length == 0
                || (!algorithm.equals("EC") && !algorithm.equals("RSA"))
                || Arrays.stream(signatures).anyMatch(signature -> signature.contains(part));
    }

    /** Returns whether a key of {@code algorithm} can be used where TLS asks for {@code keyType}. */
    static boolean fits(String algorithm, String keyType) {
        return switch (keyType) {
            case "RSA", "RSASSA-PSS" -> algorithm.equals("RSA") || algorithm.equals(keyType);
            case "EC", "EC_EC", "EC_RSA" -> algorithm.equals("EC");
            default -> algorithm.equals(keyType) || (keyType.equals("EdDSA") && algorithm.startsWith("Ed"));
        };
    }

    private @Nullable CertifiedKey find(String alias) {
        CertifiedKey key = table.byAlias.get(alias);
        return key != null ? key : before.byAlias.get(alias);
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        CertifiedKey key = find(alias);
        return key == null ? null : key.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        CertifiedKey key = find(alias);
        return key == null ? null : key.key();
    }

    @Override
    public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return NONE;
    }

    @Override
    public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return NONE;
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, Socket socket) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(String[] keyType, Principal @Nullable [] issuers, Socket socket) {
        return null;
    }
}
