package io.sigma.cli.input;

import io.sigma.value.ResourceId;

/** Ids that a command is given. Wider than {@link ResourceId#isValid}: what an older version made can be named too. */
public final class Ids {

    private Ids() {}

    /**
     * Returns {@code id} as it stands in a path of the admin API.
     *
     * @throws InvalidInput when it is none
     */
    public static String segment(String id) {
        if (!id.matches("[A-Za-z0-9._-]{1,64}")) {
            throw new InvalidInput("ID: \"" + id + "\" (expected: 1..64 of A-Z a-z 0-9 . _ -)");
        }
        return ResourceId.toSegment(id);
    }
}
