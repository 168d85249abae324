package io.sigma.controlplane.analysis;

/**
 * A value that a route asks for.
 *
 * @param subject what has the value; empty in {@link #NONE}
 */
record AskedValue(String subject, String value) implements Comparable<AskedValue> {

    /** That of a route which asks for none. */
    static final AskedValue NONE = new AskedValue("", "");

    @Override
    public int compareTo(AskedValue other) {
        int bySubject = subject.compareTo(other.subject);
        return bySubject != 0 ? bySubject : value.compareTo(other.value);
    }
}
