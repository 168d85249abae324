package io.sigma.dataplane.disk;

import io.sigma.check.PathUse;
import java.io.IOException;

/**
 * The configuration names what the settings of the gateway do not let it reach. It does not say whether that exists.
 */
public final class PathRefused extends IOException {

    private static final long serialVersionUID = 1L;

    PathRefused(String text, PathUse use, Object folders) {
        super("\"" + text + "\" (expected: a path below one of " + folders + ", which the setting " + use.setting()
                + " of the gateway names; / itself, the rest of its data folder, /proc, /sys and /dev are never open)");
    }
}
