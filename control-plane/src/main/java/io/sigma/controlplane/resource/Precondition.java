package io.sigma.controlplane.resource;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.store.history.Stored;
import org.jspecify.annotations.Nullable;

/** The precondition of a write (RFC 9110 §13.1.1 and §13.1.2). Immutable. */
public record Precondition(EntityTags match, EntityTags noneMatch) {

    /** No precondition. */
    public static final Precondition NONE = new Precondition(EntityTags.NONE, EntityTags.NONE);

    /**
     * Returns what the values of {@code If-Match} and {@code If-None-Match} say; null for a field that is not there.
     *
     * @throws FailureException with {@link Failure.BadRequest} when one is malformed
     */
    public static Precondition parse(@Nullable String ifMatch, @Nullable String ifNoneMatch) {
        return new Precondition(EntityTags.ifMatch(ifMatch), EntityTags.ifNoneMatch(ifNoneMatch));
    }

    /**
     * Returns normally when a write to what has {@code tag} may go on.
     *
     * @throws FailureException with {@link Failure.PreconditionFailed} and the current tag
     */
    void check(String tag) {
        check(tag, tag);
    }

    /**
     * Returns normally when a write to what has {@code tag}, and {@code other} as well, may go on.
     *
     * @throws FailureException with {@link Failure.PreconditionFailed} and {@code tag}
     */
    void check(String tag, String other) {
        if (match.present() && !match.has(tag) && !match.has(other)) {
            throw failed("The configuration was changed meanwhile; its tag is " + tag + ".", tag);
        }
        if (noneMatch.has(tag) || noneMatch.has(other)) {
            throw failed("If-None-Match names the tag of the configuration, " + tag + ".", tag);
        }
    }

    /**
     * Returns normally when a write to {@code existing} may go on.
     *
     * @throws FailureException with {@link Failure.PreconditionFailed} and the current tag
     */
    void check(@Nullable Stored<?> existing) {
        if (existing == null) {
            if (match.present()) {
                throw failed("There is no such resource (expected: one with a tag of If-Match).", null);
            }
            return;
        }
        String tag = existing.tag();
        if (match.present() && !match.has(tag)) {
            throw failed("The resource was changed meanwhile; its tag is " + tag + ".", tag);
        }
        if (noneMatch.has(tag)) {
            throw failed(
                    "There is such a resource already; its tag is " + tag
                            + (noneMatch.any() ? " (expected: none)." : " (expected: another one)."),
                    tag);
        }
    }

    private static FailureException failed(String detail, @Nullable String tag) {
        return new FailureException(new Failure.PreconditionFailed(detail, tag));
    }
}
