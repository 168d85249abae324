package io.sigma.controlplane.access;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.model.Role;

/**
 * Who a request comes from. Immutable.
 *
 * @param name is unmistakable in histories: a user's name, or one that no user can have
 */
public record Principal(String name, Role role) {

    /** Whoever has the admin token of the settings. */
    public static final Principal SETTINGS = new Principal("settings:admin-token", Role.ADMIN);

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
}
