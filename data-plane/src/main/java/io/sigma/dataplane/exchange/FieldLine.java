package io.sigma.dataplane.exchange;

import java.nio.charset.StandardCharsets;

/**
 * A field that many messages get, checked and encoded once. Immutable.
 */
public final class FieldLine {

    private final String name;
    private final String value;
    private final int hash;
    private final byte[] octets;

    /**
     * @throws IllegalArgumentException when the field cannot be written, because it would end where it should not
     */
    public FieldLine(String name, String value) {
        check(name, value);
        this.name = name;
        this.value = value;
        this.hash = FieldNames.lower(name).hashCode();
        this.octets = (name + ": " + value + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    /**
     * @throws IllegalArgumentException when the field cannot be written, because it would end where it should not
     */
    public static void check(String name, String value) {
        if (!isWritable(name, ':') || !isWritable(value, '\0')) {
            throw new IllegalArgumentException("a field that cannot be written: " + name);
        }
    }

    private static boolean isWritable(String text, char excluded) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7f || c > 0xff || c == excluded) {
                return false;
            }
        }
        return true;
    }

    public String name() {
        return name;
    }

    public String value() {
        return value;
    }

    /** Returns the hash of the name in lower case, by {@link String#hashCode()}. */
    public int hash() {
        return hash;
    }

    /** Returns the line with its end, which must not be changed. */
    public byte[] octets() {
        return octets;
    }
}
