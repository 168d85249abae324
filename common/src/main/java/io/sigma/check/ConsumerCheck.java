package io.sigma.check;

import io.sigma.json.JsonPointer;
import io.sigma.model.Consumer;
import io.sigma.model.ConsumerKey;
import io.sigma.model.ConsumerLogin;
import io.sigma.model.FieldError;
import io.sigma.model.Kind;
import io.sigma.value.Mismatch;
import io.sigma.value.PasswordHash;
import io.sigma.value.Sha256;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Consumers: what they prove themselves with, and that no two prove themselves with the same. */
public final class ConsumerCheck {

    private static final String HIDDEN = "[redacted]";

    private ConsumerCheck() {}

    static void check(Findings findings, Consumer consumer) {
        for (int i = 0; i < consumer.apiKeys().size(); i++) {
            ConsumerKey key = consumer.apiKeys().get(i);
            boolean one = (key.key() == null) != (key.sha256() == null);
            findings.require(
                    one,
                    Mismatch.of("[redacted]", "exactly one of key and sha256, or the name of a stored key"),
                    "apiKeys",
                    i,
                    "key");
        }
        for (int i = 0; i < consumer.logins().size(); i++) {
            ConsumerLogin login = consumer.logins().get(i);
            String hash = login.passwordHash();
            boolean one = (login.password() == null) != (hash == null);
            findings.require(
                    one,
                    Mismatch.of(
                            "[redacted]",
                            "exactly one of password and passwordHash, or the name of a user that is stored"),
                    "logins",
                    i,
                    "password");
            if (hash != null) {
                findings.parse(() -> PasswordHash.parse(hash), "logins", i, "passwordHash");
            }
        }
    }

    /**
     * Returns {@code consumer} with hashes in place of keys and passwords. Takes a tenth of a second for each password.
     */
    public static Consumer hashed(Consumer consumer) {
        List<ConsumerKey> keys = consumer.apiKeys().stream()
                .map(key -> key.toBuilder().key(null).sha256(digest(key)).build())
                .toList();
        List<ConsumerLogin> logins = consumer.logins().stream()
                .map(login -> login.toBuilder()
                        .password(null)
                        .passwordHash(hash(login))
                        .build())
                .toList();
        return consumer.toBuilder().apiKeys(keys).logins(logins).build();
    }

    private static String digest(ConsumerKey key) {
        String clear = key.key();
        return clear == null ? Objects.requireNonNull(key.sha256()) : Sha256.hex(clear);
    }

    private static String hash(ConsumerLogin login) {
        String clear = login.password();
        return clear == null
                ? Objects.requireNonNull(login.passwordHash())
                : PasswordHash.of(clear).text();
    }

    /**
     * Returns, by id, the consumers that prove themselves with what one with a smaller id does; pointers are relative.
     */
    public static Map<String, FieldError> clashes(Collection<Consumer> consumers) {
        return clashes(consumers, Set.of());
    }

    /**
     * As {@link #clashes(Collection)}, but it is one of {@code suspects} that is wrong, where it meets one of the
     * others.
     */
    public static Map<String, FieldError> clashes(Collection<Consumer> consumers, Set<String> suspects) {
        Map<String, FieldError> clashes = new HashMap<>();
        Map<String, String> owners = new HashMap<>();
        consumers.stream()
                .sorted(Comparator.comparing((Consumer consumer) -> suspects.contains(consumer.id()))
                        .thenComparing(Consumer::id))
                .forEach(consumer -> {
                    String id = String.valueOf(consumer.id());
                    for (int i = 0; i < consumer.apiKeys().size(); i++) {
                        String digest = digest(consumer.apiKeys().get(i));
                        claim(owners, clashes, "key " + digest, id, HIDDEN, "apiKeys", i, "key");
                    }
                    for (int i = 0; i < consumer.logins().size(); i++) {
                        String user = consumer.logins().get(i).username();
                        claim(owners, clashes, "user " + user, id, "\"" + user + "\"", "logins", i, "username");
                    }
                    List<String> subjects = subjects(consumer);
                    for (int i = 0; i < subjects.size(); i++) {
                        String subject = subjects.get(i);
                        claim(owners, clashes, "subject " + subject, id, "\"" + subject + "\"", "subjects", i);
                    }
                });
        return clashes;
    }

    /** Returns the subjects of tokens that are of {@code consumer}. */
    public static List<String> subjects(Consumer consumer) {
        return consumer.subjects().isEmpty() ? List.of(String.valueOf(consumer.id())) : consumer.subjects();
    }

    private static void claim(
            Map<String, String> owners,
            Map<String, FieldError> clashes,
            String what,
            String id,
            String shown,
            Object... pointer) {
        String owner = owners.putIfAbsent(what, id);
        if (owner != null) {
            // Whoever tries a key is not told whose it is. User names and subjects can be read by everybody.
            boolean told = owner.equals(id) || !shown.equals(HIDDEN);
            String expected = told
                    ? "what consumer \"" + owner + "\" does not use" + (owner.equals(id) ? " already" : "")
                    : "a key that no other consumer has";
            clashes.putIfAbsent(
                    id,
                    Faults.conflict(
                            JsonPointer.of(pointer),
                            shown,
                            expected,
                            told ? Kind.CONSUMER : null,
                            told ? owner : null));
        }
    }
}
