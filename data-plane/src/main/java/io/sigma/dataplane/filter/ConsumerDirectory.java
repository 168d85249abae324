package io.sigma.dataplane.filter;

import io.sigma.check.ConsumerCheck;
import io.sigma.dataplane.exchange.Identity;
import io.sigma.model.Consumer;
import io.sigma.model.ConsumerKey;
import io.sigma.model.ConsumerLogin;
import io.sigma.value.PasswordHash;
import io.sigma.value.Sha256;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The enabled consumers by what they prove themselves with. Immutable. */
public final class ConsumerDirectory {

    public static final ConsumerDirectory EMPTY = new ConsumerDirectory(Map.of());

    /** A user who is known by a password. */
    public record Login(Identity identity, PasswordHash hash, String hashText) {}

    private final Map<String, Consumer> source;
    private final Map<String, Identity> byKey = new HashMap<>();
    private final Map<String, Login> byUser = new HashMap<>();
    private final Map<String, Identity> bySubject = new HashMap<>();

    public ConsumerDirectory(Map<String, Consumer> consumers) {
        this.source = consumers;
        consumers.values().stream().filter(Consumer::enabled).forEach(this::add);
    }

    private void add(Consumer consumer) {
        Consumer hashed = ConsumerCheck.hashed(consumer);
        Identity identity = new Identity(String.valueOf(consumer.id()), Set.copyOf(consumer.groups()));
        for (ConsumerKey key : hashed.apiKeys()) {
            byKey.put(String.valueOf(key.sha256()), identity);
        }
        for (ConsumerLogin login : hashed.logins()) {
            String hash = String.valueOf(login.passwordHash());
            byUser.put(login.username(), new Login(identity, PasswordHash.parse(hash), hash));
        }
        for (String subject : ConsumerCheck.subjects(consumer)) {
            bySubject.put(subject, identity);
        }
    }

    /** Returns whether this is what the directory of {@code consumers} would be. */
    public boolean isOf(Map<String, Consumer> consumers) {
        return source.equals(consumers);
    }

    @Nullable
    public Identity ofKey(String key) {
        return byKey.get(Sha256.hex(key));
    }

    @Nullable
    public Login ofUser(String username) {
        return byUser.get(username);
    }

    @Nullable
    public Identity ofSubject(String subject) {
        return bySubject.get(subject);
    }
}
