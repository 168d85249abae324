package io.sigma.controlplane.access;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.model.Account;
import io.sigma.model.Credential;
import io.sigma.model.Role;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The author of a request: a user or a token. Immutable.
 *
 * @param name is unmistakable in histories: a user's name, or one that no user can have
 * @param mustChangePassword whether it may do nothing else
 * @param scope the resources that it may change
 * @param expiresAt when the credentials end whatever happens; null for never
 */
public record Principal(
        String name,
        Role role,
        Credential credential,
        boolean mustChangePassword,
        Scope scope,
        @Nullable Instant expiresAt) {

    /** Whoever has the admin token of the settings. */
    public static final Principal SETTINGS =
            new Principal("settings:admin-token", Role.ADMIN, Credential.SETTINGS, false, Scope.ALL, null);

    /**
     * Returns normally when the role suffices.
     *
     * @throws FailureException with {@link Failure.Forbidden}
     */
    public void require(Role least) {
        if (role.compareTo(least) < 0) {
            throw new FailureException(
                    new Failure.Forbidden("role: " + role + " of " + name + " (expected: " + least + ")"));
        }
    }

    /** Returns whether its credentials have ended by themselves. */
    public boolean isOver(Instant now) {
        return expiresAt != null && !now.isBefore(expiresAt);
    }

    /** Returns what the API says to this principal about itself. */
    public Account account() {
        return Account.builder()
                .name(name)
                .role(role)
                .credential(credential)
                .mustChangePassword(mustChangePassword)
                .expiresAt(expiresAt)
                .kinds(scope.kinds())
                .labels(scope.labels())
                .build();
    }
}
