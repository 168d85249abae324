package io.sigma.dataplane.exchange;

import java.util.Arrays;

/**
 * Names of fields by which a proxy tells the next one of the client: its address, the scheme, host, port and path that
 * it asked for, and its certificate (RFC 7239, RFC 9440, and what products made up). From anyone else they are
 * forgeries. Pure.
 *
 * <p>A character that is neither a letter nor a digit counts as a hyphen: some servers read all of them as one.
 */
public final class ForwardingNames {

    private static final String X_FAMILY = "x-forwarded";

    /** Any longer name is one, too. */
    private static final String[] PREFIXES = {
        X_FAMILY,
        "x-forward-",
        "x-forwarder",
        "x-original-",
        "x-originating-",
        "x-rewrite-",
        "x-real-",
        "x-ssl-",
        "x-tls-client-",
        "x-mtls-",
        "x-client-cert",
        "x-client-verify",
        "x-client-dn",
        "x-amzn-mtls-",
        "x-amzn-tls-",
        "x-certificate",
        "x-arr-clientcert",
        "x-envoy-original-",
        "client-cert",
        "ssl-client-",
        "cf-client-cert-",
        "forwarded"
    };

    private static final String[] NAMES = {
        "x-client-ip",
        "x-client-port",
        "x-cluster-client-ip",
        "x-true-client-ip",
        "x-remote-ip",
        "x-remote-addr",
        "x-remote-host",
        "x-remote-port",
        "x-proxyuser-ip",
        "x-envoy-external-address",
        "x-appengine-user-ip",
        "x-appengine-remote-addr",
        "x-azure-clientip",
        "x-azure-socketip",
        "x-nf-client-connection-ip",
        "x-vercel-forwarded-for",
        "x-vercel-proxied-for",
        "x-sucuri-clientip",
        "x-host",
        "x-http-host-override",
        "x-scheme",
        "x-url-scheme",
        "x-arr-ssl",
        "x-script-name",
        "script-name",
        "x-ingress-path",
        "x-replaced-path",
        "x-proxy-prefix",
        "x-envoy-internal",
        "x-ssl",
        "true-client-ip",
        "client-ip",
        "cluster-client-ip",
        "http-client-ip",
        "proxy-client-ip",
        "wl-proxy-client-ip",
        "wl-proxy-ssl",
        "wl-proxy-client-cert",
        "cf-connecting-ip",
        "cf-connecting-ipv6",
        "cf-connecting-o2o",
        "cf-pseudo-ipv4",
        "cf-visitor",
        "do-connecting-ip",
        "fastly-client-ip",
        "fastly-client",
        "fastly-ssl",
        "fly-client-ip",
        "fly-forwarded-port",
        "fly-forwarded-proto",
        "fly-forwarded-ssl",
        "incap-client-ip",
        "ali-cdn-real-ip",
        "cdn-src-ip",
        "cloudfront-forwarded-proto",
        "cloudfront-viewer-address",
        "eo-client-ip",
        "eo-connecting-ip",
        "remote-addr",
        "x-https",
        "x-proto",
        "front-end-https"
    };

    /** Room for each letter, and for each with five bits of the third character: few names are compared with any. */
    private static final Entry[][] ENTRIES = new Entry[26 * 32][];

    static {
        Arrays.fill(ENTRIES, new Entry[0]);
        for (String prefix : PREFIXES) {
            enter(new Entry(prefix, true));
        }
        for (String name : NAMES) {
            enter(new Entry(name, false));
        }
    }

    private record Entry(String text, boolean prefix) {

        boolean fits(int length) {
            return prefix ? length >= text.length() : length == text.length();
        }
    }

    private ForwardingNames() {}

    private static void enter(Entry entry) {
        int slot = slot(entry.text.charAt(0), entry.text.charAt(2));
        ENTRIES[slot] = Arrays.copyOf(ENTRIES[slot], ENTRIES[slot].length + 1);
        ENTRIES[slot][ENTRIES[slot].length - 1] = entry;
    }

    private static int slot(int first, int third) {
        return (first - 'a') * 32 + (third & 31);
    }

    /** Returns whether a field of that name tells of the client. */
    public static boolean isOne(String name) {
        if (name.length() < 3) {
            return false;
        }
        int first = plain(name.charAt(0));
        if (first < 'a') {
            return false;
        }
        for (Entry entry : ENTRIES[slot(first, plain(name.charAt(2)))]) {
            if (entry.fits(name.length()) && begins(name, entry.text)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a field tells of the client whose name these octets are. */
    public static boolean isOne(byte[] octets, int start, int length) {
        if (length < 3) {
            return false;
        }
        int first = plain(octets[start]);
        if (first < 'a') {
            return false;
        }
        for (Entry entry : ENTRIES[slot(first, plain(octets[start + 2]))]) {
            if (entry.fits(length) && begins(octets, start, entry.text)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a name is {@code X-Forwarded-…}. */
    public static boolean isXForwarded(String name) {
        return name.length() >= X_FAMILY.length() && begins(name, X_FAMILY);
    }

    private static boolean begins(String name, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (plain(name.charAt(i)) != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static boolean begins(byte[] octets, int start, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (plain(octets[start + i]) != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static int plain(int c) {
        if (c >= 'A' && c <= 'Z') {
            return c + ('a' - 'A');
        }
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '-';
    }
}
