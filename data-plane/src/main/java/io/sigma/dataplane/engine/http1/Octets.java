package io.sigma.dataplane.engine.http1;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The octets that each part of a head allows, and searches that look at eight octets at a time (SWAR, as in Warren,
 * "Hacker's Delight", §6-1). Pure.
 */
final class Octets {

    static final byte CR = '\r';
    static final byte LF = '\n';
    static final byte SP = ' ';
    static final byte HTAB = '\t';
    static final byte COLON = ':';

    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;
    private static final long DELETES = ONES * 0x7f;
    private static final long LINE_FEEDS = ONES * '\n';

    /** The octet of a token in lower case (RFC 9110 §5.6.2); 0 for one that no token has. */
    private static final byte[] TOKEN_LOWER = new byte[256];

    static {
        for (char c = '0'; c <= '9'; c++) {
            TOKEN_LOWER[c] = (byte) c;
        }
        for (char c = 'a'; c <= 'z'; c++) {
            TOKEN_LOWER[c] = (byte) c;
            TOKEN_LOWER[c - 'a' + 'A'] = (byte) c;
        }
        for (char c : "!#$%&'*+-.^_`|~".toCharArray()) {
            TOKEN_LOWER[c] = (byte) c;
        }
    }

    private Octets() {}

    /** Returns the octet in lower case; 0 when no token has it. */
    static int tokenLower(byte octet) {
        return TOKEN_LOWER[octet & 0xff];
    }

    /** Returns whether the octets from {@code from} on are {@code token}, in whatever case; it is in lower case. */
    static boolean isToken(byte[] octets, int from, String token) {
        for (int i = 0; i < token.length(); i++) {
            if (tokenLower(octets[from + i]) != token.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether {@code text}, which is ASCII, is in {@code from..to}. */
    static boolean contains(byte[] octets, int from, int to, String text) {
        int last = to - text.length();
        for (int i = from; i <= last; i++) {
            int same = 0;
            while (same < text.length() && octets[i + same] == text.charAt(same)) {
                same++;
            }
            if (same == text.length()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the number that {@code from..to} is; -2 when it is none of at most {@code digitsMax} digits.
     *
     * @param digitsMax at most 18
     */
    static long number(byte[] octets, int from, int to, int digitsMax) {
        if (from == to || to - from > digitsMax) {
            return -2;
        }
        long number = 0;
        for (int i = from; i < to; i++) {
            int digit = octets[i] - '0';
            if (digit < 0 || digit > 9) {
                return -2;
            }
            number = number * 10 + digit;
        }
        return number;
    }

    /** Returns the index of the first line feed in {@code from..to}; {@code to} when there is none. */
    static int lineFeed(byte[] octets, int from, int to) {
        int i = from;
        for (; i <= to - 8; i += 8) {
            long other = (long) EIGHT.get(octets, i) ^ LINE_FEEDS;
            long hit = (other - ONES) & ~other & HIGHS;
            if (hit != 0) {
                return i + (Long.numberOfTrailingZeros(hit) >>> 3);
            }
        }
        while (i < to && octets[i] != LF) {
            i++;
        }
        return i;
    }

    /**
     * Returns the index of the first control octet, tabs included, in {@code from..to}; {@code to} when there is none.
     */
    static int control(byte[] octets, int from, int to) {
        return control(octets, from, to, ' ');
    }

    /** As {@link #control(byte[], int, int)}, of octets below {@code lowest}, which is ASCII, and of DEL. */
    private static int control(byte[] octets, int from, int to, int lowest) {
        long limits = ONES * lowest;
        int i = from;
        for (; i <= to - 8; i += 8) {
            long eight = (long) EIGHT.get(octets, i);
            long delete = eight ^ DELETES;
            // The lowest hit is exact; a borrow can only spoil what is above it.
            long hit = (((eight - limits) & ~eight) | ((delete - ONES) & ~delete)) & HIGHS;
            if (hit != 0) {
                return i + (Long.numberOfTrailingZeros(hit) >>> 3);
            }
        }
        while (i < to && !isControl(octets[i]) && (octets[i] < 0 || octets[i] >= lowest)) {
            i++;
        }
        return i;
    }

    /**
     * Returns a hash of {@code from..to}, eight octets at a time, mixed as by Fibonacci hashing (Knuth, TAOCP 3, §6.4).
     */
    static int hash(byte[] octets, int from, int to) {
        long hash = (long) to - from;
        int i = from;
        for (; i <= to - 8; i += 8) {
            hash = (hash ^ (long) EIGHT.get(octets, i)) * GOLDEN;
            hash ^= hash >>> 32;
        }
        for (; i < to; i++) {
            hash = (hash ^ octets[i]) * GOLDEN;
        }
        return (int) (hash >>> 40);
    }

    static boolean isControl(byte octet) {
        return (octet >= 0 && octet < SP) || octet == 0x7f;
    }

    /** Returns whether {@code from..to} may be the value of a field: no control octets but tabs (RFC 9110 §5.5). */
    static boolean isFieldValue(byte[] octets, int from, int to) {
        int i = control(octets, from, to);
        while (i < to && octets[i] == HTAB) {
            i = control(octets, i + 1, to);
        }
        return i == to;
    }

    /** Returns whether {@code from..to} has no control octets and no spaces. */
    static boolean isVisible(byte[] octets, int from, int to) {
        return control(octets, from, to, ' ' + 1) == to;
    }

    /** Returns the value of a hexadecimal digit; -1 when it is none. */
    static int hex(byte octet) {
        if (octet >= '0' && octet <= '9') {
            return octet - '0';
        }
        int lower = octet | 0x20;
        return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    }
}
