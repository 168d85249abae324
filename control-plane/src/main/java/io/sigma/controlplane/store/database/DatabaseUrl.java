package io.sigma.controlplane.store.database;

import io.sigma.value.Addresses;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Where PostgreSQL is: {@code postgresql://user:password@host:port[,host:port…]/database[?sslmode=…&sslrootcert=…]},
 * escapes as in RFC 3986. Of several hosts the one that takes writes is used. Never printed with its password.
 *
 * @param hosts at least one
 * @param sslMode one of disable, allow, prefer, require, verify-ca, verify-full
 * @param sslRootCert PEM file of authorities; the platform's when null
 */
public record DatabaseUrl(
        List<Host> hosts,
        String database,
        String user,
        String password,
        String sslMode,
        @Nullable String sslRootCert) {

    private static final int DEFAULT_PORT = 5432;
    private static final int HOSTS_MAX = 16;
    private static final String EXPECTED =
            "(expected: postgresql://user:password@host:port[,host:port…]/database[?sslmode=…&sslrootcert=…])";
    private static final List<String> SSL_MODES =
            List.of("disable", "allow", "prefer", "require", "verify-ca", "verify-full");
    /** Whatever else it says in the URL, a control plane needs a host that takes writes. */
    private static final List<String> SESSION_ATTRIBUTES = List.of("read-write", "primary");

    private static final Set<String> OPTIONS = Set.of("sslmode", "sslrootcert", "target_session_attrs");

    /** A server. */
    public record Host(String name, int port) {

        @Override
        public String toString() {
            return Addresses.authority(name, port);
        }
    }

    public DatabaseUrl {
        hosts = List.copyOf(hosts);
    }

    /** Of one host. */
    public DatabaseUrl(
            String host,
            int port,
            String database,
            String user,
            String password,
            String sslMode,
            @Nullable String sslRootCert) {
        this(List.of(new Host(host, port)), database, user, password, sslMode, sslRootCert);
    }

    /** Returns the name of the first host. */
    public String host() {
        return hosts.getFirst().name();
    }

    /** Returns the port of the first host. */
    public int port() {
        return hosts.getFirst().port();
    }

    /**
     * Returns the parsed URL.
     *
     * @throws IllegalArgumentException saying what was expected, without the URL's password
     */
    public static DatabaseUrl parse(String url) {
        int authority = url.indexOf("://") + 3;
        int end = url.indexOf('/', authority);
        int user = end < 0 ? -1 : url.lastIndexOf('@', end);
        if (authority < 3 || user < authority) {
            throw refused("[redacted]");
        }
        String[] names = url.substring(user + 1, end).split(",", -1);
        if (names.length > HOSTS_MAX) {
            throw refused(names.length + " hosts (expected: at most " + HOSTS_MAX + ")");
        }
        List<Host> hosts = new ArrayList<>();
        URI uri = null;
        for (String name : names) {
            uri = uri(url.substring(0, user + 1) + name + url.substring(end));
            hosts.add(host(uri));
        }
        return of(Objects.requireNonNull(uri), hosts);
    }

    private static Host host(URI uri) {
        boolean scheme = "postgresql".equals(uri.getScheme()) || "postgres".equals(uri.getScheme());
        if (!scheme || uri.getHost() == null) {
            throw refused("[redacted]");
        }
        return new Host(bare(uri.getHost()), uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort());
    }

    private static DatabaseUrl of(URI uri, List<Host> hosts) {
        String path = uri.getRawPath();
        String userInfo = uri.getRawUserInfo();
        if (path == null || path.length() < 2 || userInfo == null) {
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
        String attributes = options.getOrDefault("target_session_attrs", "read-write");
        if (!SESSION_ATTRIBUTES.contains(attributes)) {
            throw refused("target_session_attrs " + attributes + " (expected: one of "
                    + String.join(", ", SESSION_ATTRIBUTES) + ")");
        }
        return new DatabaseUrl(
                hosts, decode(path.substring(1)), decode(user), decode(password), sslMode, options.get("sslrootcert"));
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
            if (equals < 0 || !OPTIONS.contains(name)) {
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

    /** Returns the options of the reactive client for a host. */
    public PgConnectOptions connectOptions(Host host) {
        SslMode mode = SslMode.of(sslMode);
        PgConnectOptions options = new PgConnectOptions()
                .setHost(host.name())
                .setPort(host.port())
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
    public PGSimpleDataSource dataSource(int connectTimeoutSeconds) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(hosts.stream().map(Host::name).toArray(String[]::new));
        source.setPortNumbers(hosts.stream().mapToInt(Host::port).toArray());
        if (hosts.size() > 1) {
            source.setTargetServerType("primary");
        }
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
        String shown = hosts.stream().map(Host::toString).collect(Collectors.joining(","));
        return "postgresql://" + user + ":[redacted]@" + shown + "/" + database + "?sslmode=" + sslMode;
    }
}
