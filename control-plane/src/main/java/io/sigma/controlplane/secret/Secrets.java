package io.sigma.controlplane.secret;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sigma.model.Kind;
import io.sigma.snapshot.ResourceType;
import io.sigma.value.PemText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.crypto.AEADBadTagException;
import org.jspecify.annotations.Nullable;

/** Handles the secrets in resources of every kind, wherever the contract has them. Immutable; any thread. */
public final class Secrets {

    /** Stands for a secret where its place is shown; a write that sends it leaves the secret as it is. */
    public static final String REDACTED = "[redacted]";

    private static final String CONTRACT = "/sigma-admin.yaml";
    /** The prefix of the stored text of an encrypted secret. */
    public static final String SEALED = "sealed:1:";

    private static final String PURPOSE = "secrets of resources";
    private static final String DIGESTS = "digests of requests";
    /** The members that identify an element of an array. */
    private static final List<String> NAMES = List.of("id", "name", "username");

    private static final String PRIVATE_KEY = "PRIVATE KEY-----";

    /** Fields of certificates. */
    private static final List<JsonPointer> PEM = List.of(
            JsonPointer.compile("/chain"), JsonPointer.compile("/tls/clientCa"), JsonPointer.compile("/tls/ca"));

    private final Map<Kind, SecretShape> shapes = new EnumMap<>(Kind.class);
    private final @Nullable KeySeal seal;
    private final @Nullable KeySeal digests;

    private Secrets(JsonNode contract, @Nullable KeyRing keys) {
        for (ResourceType<?> type : ResourceType.ALL) {
            SecretShape shape = SecretShape.of(contract, type.model().getSimpleName());
            if (shape != null) {
                shapes.put(type.kind(), shape);
            }
        }
        this.seal = keys == null ? null : new KeySeal(keys, PURPOSE);
        this.digests = keys == null ? null : new KeySeal(keys, DIGESTS);
    }

    /**
     * Reads the contract of the class path.
     *
     * @param keys null when nothing is to be sealed
     */
    public static Secrets load(@Nullable KeyRing keys) {
        try (InputStream in = Objects.requireNonNull(Secrets.class.getResourceAsStream(CONTRACT), CONTRACT)) {
            return of(YAMLMapper.builder().build().readTree(in), keys);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Secrets of(JsonNode contract, @Nullable KeyRing keys) {
        return new Secrets(contract, keys);
    }

    /** Returns whether resources of that kind may hold secrets. */
    public boolean has(Kind kind) {
        return shapes.containsKey(kind);
    }

    /** Returns {@code resource} without its secrets, as it is answered. */
    public JsonNode without(Kind kind, JsonNode resource) {
        return withoutKeys(map(kind, resource, secret -> null));
    }

    /** Older versions took a private key beside the certificates, where it is no secret of the contract. */
    private static JsonNode withoutKeys(JsonNode resource) {
        JsonNode shown = resource;
        for (JsonPointer place : PEM) {
            JsonNode text = shown.at(place);
            if (text.isTextual() && text.textValue().contains(PRIVATE_KEY)) {
                shown = shown.deepCopy();
                ((ObjectNode) shown.at(place.head()))
                        .put(place.last().getMatchingProperty(), PemText.certificates(text.textValue()));
            }
        }
        return shown;
    }

    /** Returns {@code resource} with {@link #REDACTED} in place of each secret, as it is shown in histories. */
    public JsonNode redacted(Kind kind, JsonNode resource) {
        return withoutKeys(map(kind, resource, secret -> REDACTED));
    }

    /** Returns {@code resource} as it is stored. */
    public JsonNode sealed(Kind kind, String id, JsonNode resource) {
        byte[] context = context(kind, id);
        return map(kind, resource, secret -> text(seal().seal(secret.getBytes(StandardCharsets.UTF_8), context)));
    }

    /**
     * Returns a stored {@code resource} as it is.
     *
     * @throws IllegalStateException when it was sealed with another key
     */
    public JsonNode opened(Kind kind, String id, JsonNode resource) {
        byte[] context = context(kind, id);
        return map(kind, resource, secret -> secret.startsWith(SEALED) ? open(kind, id, secret, context) : secret);
    }

    /**
     * Returns a stored {@code resource} with every secret encrypted with the present key; equal to {@code resource}
     * when each is already.
     *
     * @throws IllegalStateException when one was sealed with a key that is not known
     */
    public JsonNode renewed(Kind kind, String id, JsonNode resource) {
        byte[] context = context(kind, id);
        return map(kind, resource, secret -> secret.startsWith(SEALED) ? renew(kind, id, secret, context) : secret);
    }

    private String open(Kind kind, String id, String sealed, byte[] context) {
        try {
            return new String(seal().open(bytes(sealed), context), StandardCharsets.UTF_8);
        } catch (AEADBadTagException e) {
            throw otherKey(kind, id, e);
        }
    }

    private String renew(Kind kind, String id, String sealed, byte[] context) {
        try {
            return text(seal().renewed(bytes(sealed), context));
        } catch (AEADBadTagException e) {
            throw otherKey(kind, id, e);
        }
    }

    private static byte[] bytes(String sealed) {
        return Base64.getDecoder().decode(sealed.substring(SEALED.length()));
    }

    private static String text(byte[] sealed) {
        return SEALED + Base64.getEncoder().encodeToString(sealed);
    }

    private static IllegalStateException otherKey(Kind kind, String id, AEADBadTagException cause) {
        return new IllegalStateException(
                "The secrets of " + kind + " \"" + id
                        + "\" were encrypted with another secretKey (expected: that key, as secretKey or as secretKeyPrevious).",
                cause);
    }

    private KeySeal seal() {
        return present(seal);
    }

    private static KeySeal present(@Nullable KeySeal seal) {
        if (seal == null) {
            throw new IllegalStateException("there is no key to encrypt secrets with");
        }
        return seal;
    }

    /** Returns {@code digest} as it is stored: of what holds secrets, whoever has the database cannot guess by it. */
    public String keyed(String digest) {
        byte[] mac = present(digests).mac(digest.getBytes(StandardCharsets.US_ASCII));
        return HexFormat.of().formatHex(mac);
    }

    /**
     * Returns whether {@code stored} is what {@link #keyed} returned of {@code digest}, be it with the key before this
     * one.
     */
    public boolean isKeyed(String stored, String digest) {
        return present(digests).isMac(HexFormat.of().parseHex(stored), digest.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] context(Kind kind, String id) {
        return (kind + "/" + id).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Returns {@code body} with those secrets of {@code stored} that it leaves out or redacts, unless it has what is
     * written in their place. Elements of arrays belong together when they have the same id or name, or are alike but
     * for secrets.
     *
     * @param stored null when there is none
     */
    public JsonNode kept(Kind kind, JsonNode body, @Nullable JsonNode stored) {
        return kept(kind, body, stored, true);
    }

    /**
     * As {@link #kept}, but what {@code body} leaves out stays out, except in arrays: a patch takes away what it names.
     */
    public JsonNode unredacted(Kind kind, JsonNode body, @Nullable JsonNode stored) {
        return kept(kind, body, stored, false);
    }

    private JsonNode kept(Kind kind, JsonNode body, @Nullable JsonNode stored, boolean absent) {
        SecretShape shape = shapes.get(kind);
        if (shape == null || !body.isObject()) {
            return body;
        }
        JsonNode copy = body.deepCopy();
        keep(shape, copy, stored, absent);
        return copy;
    }

    private void keep(SecretShape shape, JsonNode body, @Nullable JsonNode stored, boolean absent) {
        if (body instanceof ObjectNode object) {
            shape.properties().forEach((name, property) -> {
                JsonNode old = stored == null ? null : stored.get(name);
                if (property.secret()) {
                    boolean replaced = property.unless() != null && isSent(object.get(property.unless()));
                    keepSecret(object, name, replaced ? null : old, absent);
                } else if (object.has(name)) {
                    keep(property, object.get(name), old, absent);
                }
            });
            if (shape.values() != null) {
                object.properties()
                        .forEach(field -> keep(
                                shape.values(),
                                field.getValue(),
                                stored == null ? null : stored.get(field.getKey()),
                                absent));
            }
        } else if (body instanceof ArrayNode array && shape.items() != null) {
            List<@Nullable JsonNode> counterparts = counterparts(shape.items(), array, stored);
            // Also in a patch an array is written as a whole.
            for (int i = 0; i < array.size(); i++) {
                keep(shape.items(), array.get(i), counterparts.get(i), true);
            }
        }
    }

    private static boolean isSent(@Nullable JsonNode value) {
        return value != null && !value.isNull() && !REDACTED.equals(value.textValue());
    }

    private static void keepSecret(ObjectNode object, String name, @Nullable JsonNode old, boolean absent) {
        JsonNode sent = object.get(name);
        if ((sent == null && absent) || (sent != null && REDACTED.equals(sent.textValue()))) {
            if (old == null) {
                object.remove(name);
            } else {
                object.set(name, old);
            }
        }
    }

    /**
     * Returns, for each element, the stored one that it was; null for none. Where more are stored alike than are sent
     * without their secrets, nobody can tell which of them is gone, so none of them is kept.
     */
    private static List<@Nullable JsonNode> counterparts(
            SecretShape shape, ArrayNode elements, @Nullable JsonNode stored) {
        Map<JsonNode, List<JsonNode>> known = new HashMap<>();
        if (stored != null) {
            stored.forEach(old -> known.computeIfAbsent(identity(shape, old), same -> new ArrayList<>())
                    .add(old));
        }
        Map<JsonNode, List<Integer>> alike = new HashMap<>();
        for (int i = 0; i < elements.size(); i++) {
            if (isWithoutSecrets(shape, elements.get(i))) {
                alike.computeIfAbsent(identity(shape, elements.get(i)), same -> new ArrayList<>())
                        .add(i);
            }
        }
        List<@Nullable JsonNode> found = new ArrayList<>();
        for (int i = 0; i < elements.size(); i++) {
            JsonNode identity = identity(shape, elements.get(i));
            List<JsonNode> candidates = known.getOrDefault(identity, List.of());
            List<Integer> mates = alike.getOrDefault(identity, List.of());
            int place = mates.indexOf(i);
            boolean clear = mates.size() >= candidates.size() && place < candidates.size();
            found.add(clear && place >= 0 ? candidates.get(place) : place < 0 ? first(candidates) : null);
        }
        return found;
    }

    private static @Nullable JsonNode first(List<JsonNode> candidates) {
        return candidates.isEmpty() ? null : candidates.getFirst();
    }

    /** Returns what tells an element from others: its id or name, or else all of it but its secrets. */
    private static JsonNode identity(SecretShape shape, JsonNode element) {
        for (String name : NAMES) {
            JsonNode value = element.get(name);
            if (value != null && !value.isNull()) {
                return JsonNodeFactory.instance.objectNode().set(name, value);
            }
        }
        return map(shape, element, secret -> null);
    }

    private static boolean isWithoutSecrets(SecretShape shape, JsonNode element) {
        return map(shape, element, secret -> REDACTED.equals(secret) ? null : secret)
                .equals(map(shape, element, secret -> null));
    }

    /** A function of a secret; null takes it away. */
    private interface Change {
        @Nullable
        String of(String secret);
    }

    private JsonNode map(Kind kind, JsonNode resource, Change change) {
        SecretShape shape = shapes.get(kind);
        return shape == null ? resource : map(shape, resource, change);
    }

    private static JsonNode map(SecretShape shape, JsonNode node, Change change) {
        if (node.isTextual() && shape.secret()) {
            String changed = change.of(node.textValue());
            return changed == null ? MissingNode.getInstance() : TextNode.valueOf(changed);
        }
        if (node instanceof ObjectNode object) {
            ObjectNode copy = object.objectNode();
            object.properties().forEach(field -> {
                SecretShape inner = shape.property(field.getKey());
                JsonNode value = inner == null ? field.getValue() : map(inner, field.getValue(), change);
                if (!value.isMissingNode()) {
                    copy.set(field.getKey(), value);
                }
            });
            return copy;
        }
        if (node instanceof ArrayNode array && shape.element() != null) {
            ArrayNode copy = array.arrayNode();
            for (JsonNode element : array) {
                JsonNode value = map(shape.element(), element, change);
                if (!value.isMissingNode()) {
                    copy.add(value);
                }
            }
            return copy;
        }
        return node;
    }
}
