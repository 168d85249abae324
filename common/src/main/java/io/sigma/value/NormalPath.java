package io.sigma.value;

/**
 * The one normal form of a request path (RFC 3986 §6.2.2): dot segments resolved and never above the root, unreserved
 * octets decoded, hexadecimal digits in upper case, empty segments merged unless they are asked for. {@code %2F} stays
 * encoded and is no separator. Characters that no URI has, and browsers send, are encoded. A path is matched, logged
 * and forwarded in this form only.
 */
public final class NormalPath {

    private static final String HEX = "0123456789ABCDEF";
    /** Visible characters that RFC 3986 has no place for: those below 64, and those above it. */
    private static final long FOREIGN_LOW = bit('"') | bit('<') | bit('>');

    private static final long FOREIGN_HIGH = bit('\\') | bit('^') | bit('`') | bit('{') | bit('|') | bit('}');

    private NormalPath() {}

    private static long bit(char c) {
        // The distance of a shift is taken modulo 64.
        return 1L << c;
    }

    /**
     * Returns the normal form of {@code path}, which is returned itself when it is normal already.
     *
     * @param path begins with a slash and has no query
     * @throws InvalidValue for {@code %00}, a percent sign without two hexadecimal digits, a backslash, a control or
     *     non-ASCII character, or no leading slash
     */
    public static String of(String path) {
        return of(path, true);
    }

    /**
     * Returns the normal form of {@code path} as above, with empty segments merged or kept.
     *
     * @throws InvalidValue as above
     */
    public static String of(String path, boolean mergeSlashes) {
        return isNormal(path, mergeSlashes) ? path : removeDotSegments(decodeUnreserved(path), mergeSlashes);
    }

    private static boolean isNormal(String path, boolean mergeSlashes) {
        int length = path.length();
        if (length == 0 || path.charAt(0) != '/') {
            return false;
        }
        char before = 0;
        for (int i = 0; i < length; i++) {
            char c = path.charAt(i);
            boolean plain = c > ' ' && c < 0x7f && c != '%';
            if (!plain || isForeign(c) || (before == '/' && (c == '.' || (c == '/' && mergeSlashes)))) {
                return false;
            }
            before = c;
        }
        return true;
    }

    private static String decodeUnreserved(String path) {
        if (path.isEmpty() || path.charAt(0) != '/') {
            throw InvalidValue.of(path, "a path that starts with /");
        }
        StringBuilder out = new StringBuilder(path.length());
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c <= ' ' || c >= 0x7f || c == '\\') {
                throw InvalidValue.of(path, "no white space, control or non-ASCII character, no backslash");
            }
            if (c != '%') {
                append(out, c);
                continue;
            }
            int octet = octet(path, i);
            i += 2;
            if (isUnreserved(octet)) {
                out.append((char) octet);
            } else {
                encode(out, octet);
            }
        }
        return out.toString();
    }

    /** Returns whether {@code c} is a visible character that no URI has: in a request it stands for its encoding. */
    public static boolean isForeign(char c) {
        long set = c < 64 ? FOREIGN_LOW : c < 128 ? FOREIGN_HIGH : 0;
        return (set & bit(c)) != 0;
    }

    /** Returns {@code text} with the encodings of such characters; {@code text} itself when it has none. */
    public static String encoded(String text) {
        int first = 0;
        while (first < text.length() && !isForeign(text.charAt(first))) {
            first++;
        }
        if (first == text.length()) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length() + 8).append(text, 0, first);
        for (int i = first; i < text.length(); i++) {
            append(out, text.charAt(i));
        }
        return out.toString();
    }

    private static void append(StringBuilder out, char c) {
        if (isForeign(c)) {
            encode(out, c);
        } else {
            out.append(c);
        }
    }

    private static void encode(StringBuilder out, int octet) {
        out.append('%').append(HEX.charAt(octet >> 4)).append(HEX.charAt(octet & 15));
    }

    private static int octet(String path, int percent) {
        boolean room = percent + 2 < path.length();
        int high = room ? hexDigit(path.charAt(percent + 1)) : -1;
        int low = room ? hexDigit(path.charAt(percent + 2)) : -1;
        int octet = high < 0 || low < 0 ? 0 : high << 4 | low;
        if (octet == 0) {
            throw InvalidValue.of(path, "after % two hexadecimal digits, not 00");
        }
        return octet;
    }

    private static int hexDigit(char c) {
        return c < 0x80 ? Character.digit(c, 16) : -1;
    }

    private static boolean isUnreserved(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '.'
                || c == '_'
                || c == '~';
    }

    /** RFC 3986 §5.2.4, with {@code ..;x=y} read as {@code ..} as some servers do. */
    private static String removeDotSegments(String path, boolean mergeSlashes) {
        StringBuilder out = new StringBuilder(path.length());
        int start = 1;
        while (start <= path.length()) {
            int slash = path.indexOf('/', start);
            boolean last = slash < 0;
            String segment = path.substring(start, last ? path.length() : slash);
            String bare = withoutParameters(segment);
            if (bare.equals("..")) {
                out.setLength(Math.max(out.lastIndexOf("/"), 0));
            }
            if (bare.equals("..") || bare.equals(".")) {
                out.append(last ? "/" : "");
            } else if (!segment.isEmpty() || last || !mergeSlashes) {
                out.append('/').append(segment);
            }
            start += segment.length() + 1;
        }
        return out.isEmpty() ? "/" : out.toString();
    }

    private static String withoutParameters(String segment) {
        int semicolon = segment.startsWith(".") ? segment.indexOf(';') : -1;
        return semicolon < 0 ? segment : segment.substring(0, semicolon);
    }
}
