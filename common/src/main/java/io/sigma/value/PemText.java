package io.sigma.value;

import java.util.ArrayList;
import java.util.List;

/**
 * Texts of PEM blocks (RFC 7468), read strictly: what stands beside the blocks may be a secret, so nothing may. Pure.
 */
public final class PemText {

    /** The kind of a block that is a certificate. */
    public static final String CERTIFICATE = "CERTIFICATE";

    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";
    private static final int KIND_LENGTH_MAX = 40;

    private PemText() {}

    /**
     * Returns the kinds of the blocks of {@code text} in their order, such as {@code CERTIFICATE}. Blocks may have any
     * line ends, and white space around them.
     *
     * @throws InvalidValue when there is anything else in it, which is not shown
     */
    public static List<String> kinds(String text) {
        List<String> kinds = new ArrayList<>();
        String open = null;
        for (String line : text.lines().map(String::strip).toList()) {
            if (open == null && isBegin(line)) {
                open = line.substring(BEGIN.length(), line.length() - DASHES.length());
            } else if (open == null && !line.isEmpty()) {
                throw new InvalidValue(Mismatch.of("a text outside of the PEM blocks, [redacted]", "only PEM blocks"));
            } else if (open != null && line.equals(END + open + DASHES)) {
                kinds.add(open);
                open = null;
            } else if (open != null && !line.chars().allMatch(PemText::isBase64)) {
                throw new InvalidValue(Mismatch.of(
                        "a PEM block with lines that are not base64, [redacted]",
                        "a block without headers, not encrypted"));
            }
        }
        if (open != null) {
            throw new InvalidValue(Mismatch.of("a PEM block without an end", "-----END -----"));
        }
        return kinds;
    }

    private static boolean isBegin(String line) {
        int kind = line.length() - BEGIN.length() - DASHES.length();
        return line.startsWith(BEGIN) && line.endsWith(DASHES) && kind > 0 && kind <= KIND_LENGTH_MAX;
    }

    private static boolean isBase64(int c) {
        return (c < 0x80 && Character.isLetterOrDigit(c)) || c == '+' || c == '/' || c == '=';
    }

    /** Returns the certificates of {@code text} as they are, and nothing else of it. */
    public static String certificates(String text) {
        String begin = BEGIN + CERTIFICATE + DASHES;
        String end = END + CERTIFICATE + DASHES;
        StringBuilder certificates = new StringBuilder();
        int from = text.indexOf(begin);
        while (from >= 0) {
            int to = text.indexOf(end, from + begin.length());
            if (to < 0) {
                break;
            }
            certificates.append(text, from, to).append(end).append('\n');
            from = text.indexOf(begin, to);
        }
        return certificates.toString();
    }
}
