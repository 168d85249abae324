package io.sigma.controlplane.store;

import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Where PostgreSQL is: {@code postgresql://user:password@host:port/database[?sslmode=…&sslrootcert=…]}, escapes as in RFC
 * 3986. Never printed with its password.
 *
 * @param sslMode one of disable, allow, prefer, require, verify-ca, verify-full
 * @param sslRootCert PEM file of authorities; the platform's when null
 */
public record DatabaseUrl(
        String host,
        int port,
        String database,
        String user,
        String password,
        String sslMode,
        @Nullable String sslRootCert) {

    private static final int DEFAULT_PORT = 5432;
    private static final String EXPECTED =
            "(expected: postgresql://user:password@host:port/database[?sslmode=…&sslrootcert=…])";
    private static final List<String> SSL_MODES =
            List.of("disable", "allow", "prefer", "require", "verify-ca", "verify-full");

    /**
     * Returns the parsed URL.
     *
     * @throws IllegalArgumentException saying what was expected, without the URL's password
     */
    public static DatabaseUrl parse(String url) {
        URI uri = uri(url);
        boolean scheme = "postgresql".equals(uri.getScheme()) || "postgres".equals(uri.getScheme());
        String path = uri.getRawPath();
        String userInfo = uri.getRawUserInfo();
        if (!scheme || uri.getHost() == null || path == null || path.length() < 2 || userInfo == null) {
            throw refused("[redacted]");
        }
        int colon = userInfo.indexOf(':');
        String user = colon < 0 ? userInfo : userInfo.substring(0, colon);
        String password = colon < 0 ? "" : userInfo.substring(colon + 1);
        Map<String, String> options = options(uri.getRawQuery());
        String sslMode = options.getOrDefault("sslmode", "prefer");
        if (!SSL_MODES.contains(sslMode)) {
            throw refused("sslmode " + sslMode + " (expected: one of " + String.join(", ", SSL_MODES) + ")");
        }
        return new DatabaseUrl(
                bare(uri.getHost()),
                uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(),
                decode(path.substring(1)),
                decode(user),
                decode(password),
                sslMode,
                options.get("sslrootcert"));
    }

    private static URI uri(String url) {
        try {
            return new URI(url);
        } catch (URISyntaxException e) {
            throw refused("[redacted]");
        }
    }

    private static IllegalArgumentException refused(String what) {
        return new IllegalArgumentException("databaseUrl: " + what + " " + EXPECTED);
    }

    private static Map<String, String> options(@Nullable String rawQuery) {
        Map<String, String> options = new TreeMap<>();
        for (String option : rawQuery == null ? new String[0] : rawQuery.split("&", -1)) {
            int equals = option.indexOf('=');
            String name = equals < 0 ? option : option.substring(0, equals);
            if (equals < 0 || (!name.equals("sslmode") && !name.equals("sslrootcert"))) {
                throw refused("option \"" + name + "\"");
            }
            options.put(name, decode(option.substring(equals + 1)));
        }
        return options;
    }

    private static String bare(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static String decode(String escaped) {
        return URLDecoder.decode(escaped.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** Returns the options of the reactive client. */
    PgConnectOptions connectOptions() {
        SslMode mode = SslMode.of(sslMode);
        PgConnectOptions options = new PgConnectOptions()
                .setHost(host)
                .setPort(port)
                .setDatabase(database)
                .setUser(user)
                .setPassword(password)
                .setSslMode(mode);
        if (mode != SslMode.DISABLE) {
            boolean verified = mode == SslMode.VERIFY_CA || mode == SslMode.VERIFY_FULL;
            ClientSSLOptions ssl = new ClientSSLOptions()
                    .setTrustAll(!verified)
                    .setHostnameVerificationAlgorithm(mode == SslMode.VERIFY_FULL ? "HTTPS" : "");
            if (verified && sslRootCert != null) {
                ssl.setTrustOptions(new PemTrustOptions().addCertPath(sslRootCert));
            }
            options.setSslOptions(ssl);
        }
        return options;
    }

    /** Returns the data source for migrations. */
    PGSimpleDataSource dataSource(int connectTimeoutSeconds) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {host});
        source.setPortNumbers(new int[] {port});
        source.setDatabaseName(database);
        source.setUser(user);
        source.setPassword(password);
        source.setSslMode(sslMode);
        source.setConnectTimeout(connectTimeoutSeconds);
        source.setLoginTimeout(connectTimeoutSeconds);
        if (sslRootCert != null) {
            source.setSslRootCert(sslRootCert);
        } else if (sslMode.startsWith("verify")) {
            source.setSslfactory("org.postgresql.ssl.DefaultJavaSSLFactory");
        }
        return source;
    }

    @Override
    public String toString() {
        String shown = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return "postgresql://" + user + ":[redacted]@" + shown + ":" + port + "/" + database + "?sslmode=" + sslMode;
    }
}
