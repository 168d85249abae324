package io.sigma.settings;

import java.util.List;

/** Settings with which a process cannot start; the message lists everything that is wrong, a line each. */
public final class InvalidSettings extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public InvalidSettings(List<String> errors) {
        super(String.join("\n", errors), null, false, false);
    }
}
