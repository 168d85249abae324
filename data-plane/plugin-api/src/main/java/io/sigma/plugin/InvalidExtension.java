package io.sigma.plugin;

/** The configuration of a plugin is not right, so the snapshot that holds it is refused. */
public final class InvalidExtension extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String pointer;

    /**
     * @param pointer JSON pointer into the configuration of the plugin, such as {@code /header}; empty for all of it
     * @param detail the value and the expectation: {@code "x y" (expected: a field name)}
     */
    public InvalidExtension(String pointer, String detail) {
        super(detail, null, false, false);
        this.pointer = pointer;
    }

    /** Returns the pointer; empty for the whole configuration. */
    public String pointer() {
        return pointer;
    }

    /** Returns the value and the expectation. */
    public String detail() {
        return String.valueOf(getMessage());
    }
}
