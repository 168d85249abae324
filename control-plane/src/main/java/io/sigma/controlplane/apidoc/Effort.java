package io.sigma.controlplane.apidoc;

/** The bound of the comparisons of one import, in steps of some ten nanoseconds. Confined to one import. */
final class Effort {

    /** Some two thousand paths of fifty segments with two thousand others; one step is at most 64 characters. */
    static final long STEPS_MAX = 200_000_000;

    private static final int CHARACTERS_A_STEP = 64;

    private long left;

    Effort(long steps) {
        this.left = steps;
    }

    /** Notes a step, which is to be done; further ones are not once {@link #isSpent()}. */
    void step() {
        left--;
    }

    /** As {@link #step()}, with {@code characters} that are compared. */
    void step(long characters) {
        left -= 1 + characters / CHARACTERS_A_STEP;
    }

    boolean isSpent() {
        return left < 0;
    }
}
