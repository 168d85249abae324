package io.sigma.controlplane.access;

import io.sigma.controlplane.settings.ControlPlaneSettings;
import io.sigma.controlplane.store.Store;
import java.util.Objects;
import java.util.Optional;

/** Everything that knows who may come in, opened and closed together. Thread-safe. */
public record Accounts(Users users, Sessions sessions, ApiTokens tokens, Passwords passwords) implements AutoCloseable {

    /** Returns the accounts of a store that is open. Takes a moment: a password is hashed. */
    public static Accounts open(Store store, ControlPlaneSettings settings) {
        Passwords passwords = new Passwords();
        return new Accounts(
                new Users(store.database(), store.audit(), passwords),
                new Sessions(
                        store.database(),
                        store.audit(),
                        passwords,
                        settings.logins().sessionIdleMinutes(),
                        settings.logins().sessionHoursMax()),
                new ApiTokens(store.database(), store.audit()),
                passwords);
    }

    /** Returns what to say about the first admin, once, when it was made now with a password that nobody chose. */
    public Optional<String> makeFirstAdmin(ControlPlaneSettings settings) {
        return users.makeFirst(settings.logins().adminPassword(), Objects.requireNonNull(settings.controlPlaneId()))
                .map(password -> "First start: log in as " + Users.FIRST + " with the password " + password
                        + " (shown only once; change it at the first login)");
    }

    @Override
    public void close() {
        passwords.close();
    }
}
