package io.sigma.dataplane.disk;

import io.sigma.check.PathUse;
import io.sigma.value.Mismatch;
import java.io.IOException;

/**
 * The configuration names what the settings of the gateway do not let it reach. It does not say whether that exists.
 */
public final class PathRefused extends IOException {

    private static final long serialVersionUID = 1L;

    private final transient Mismatch mismatch;

    private PathRefused(Mismatch mismatch) {
        super(mismatch.toString());
        this.mismatch = mismatch;
    }

    PathRefused(String text, PathUse use, Object folders) {
        this(Mismatch.quoted(
                text,
                "a path below one of " + folders + ", which the setting " + use.setting()
                        + " of the gateway names; / itself, the rest of its data folder, /proc, /sys and /dev are never"
                        + " open"));
    }

    /** Returns which path was named, and which ones may be. */
    public Mismatch mismatch() {
        return mismatch;
    }
}
