package io.sigma.controlplane.access;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.check.Faults;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.store.WriteScope;
import io.sigma.controlplane.store.history.EntityEdit;
import io.sigma.json.Json;
import io.sigma.json.JsonPointer;
import io.sigma.model.Certificate;
import io.sigma.model.Consumer;
import io.sigma.model.Kind;
import io.sigma.model.ProxyServer;
import io.sigma.snapshot.ResourceType;
import io.sigma.value.CertifiedKey;
import io.sigma.value.Mismatch;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a write of a token with labels that influences resources without these labels. A reference is judged by its
 * {@link Reach}. Confined to one write; waits for the database.
 */
final class ReferenceScope {

    private final Scope scope;
    private final List<EntityEdit> edits;
    private final WriteScope.Stored stored;
    private final boolean single;
    private final Map<Kind, Map<String, EntityEdit>> edited = new EnumMap<>(Kind.class);
    private final Map<Kind, Map<String, Object>> found = new EnumMap<>(Kind.class);

    ReferenceScope(Scope scope, List<EntityEdit> edits, WriteScope.Stored stored, boolean single) {
        this.scope = scope;
        this.edits = edits;
        this.stored = stored;
        this.single = single;
    }

    /** @throws FailureException with {@link Failure.Forbidden} and the pointer of the reference */
    void check() {
        edits.forEach(edit ->
                edited.computeIfAbsent(edit.kind(), kind -> new HashMap<>()).put(edit.id(), edit));
        read();
        for (EntityEdit edit : edits) {
            check(edit, ResourceType.of(edit.kind()));
            if (edit.after() instanceof ProxyServer server) {
                presents(edit, server);
                namesSubjects(edit, server);
            }
            if (edit.after() instanceof Certificate certificate) {
                presented(edit);
                gainsNames(edit, certificate);
            }
            if (edit.kind() == Kind.CONSUMER) {
                joins(edit);
            }
            if (edit.after() != null) {
                writesLines(edit, edit.after());
            }
        }
    }

    /** Reads all that is referred to, each kind at once. */
    private void read() {
        Map<Kind, Set<String>> ids = new EnumMap<>(Kind.class);
        for (EntityEdit edit : edits) {
            collect(ResourceType.of(edit.kind()), edit.before(), ids);
            collect(ResourceType.of(edit.kind()), edit.after(), ids);
        }
        ids.forEach((kind, some) -> found.put(kind, stored.find(kind, some)));
    }

    private static <T> void collect(ResourceType<T> type, @Nullable Object resource, Map<Kind, Set<String>> ids) {
        if (resource != null) {
            for (ResourceType.Reference<T> reference : type.references()) {
                Collection<String> some = ids.computeIfAbsent(reference.target(), kind -> new HashSet<>());
                reference.targets().apply(type.cast(resource)).forEach(target -> some.add(target.id()));
            }
        }
    }

    private <T> void check(EntityEdit edit, ResourceType<T> type) {
        for (ResourceType.Reference<T> reference : type.references()) {
            Reach reach = Reach.of(type.kind(), reference);
            if (reach == Reach.CONTAINED && edit.before() != null) {
                for (ResourceType.Target target : reference.targets().apply(type.cast(edit.before()))) {
                    require(edit, reference.target(), target, before(reference.target(), target.id()));
                }
            }
            if (edit.after() != null) {
                for (ResourceType.Target target : reference.targets().apply(type.cast(edit.after()))) {
                    require(edit, reference.target(), target, after(reference.target(), target.id()));
                }
            }
        }
    }

    private @Nullable Object before(Kind kind, String id) {
        return found.getOrDefault(kind, Map.of()).get(id);
    }

    private @Nullable Object after(Kind kind, String id) {
        EntityEdit edit = edited.getOrDefault(kind, Map.of()).get(id);
        return edit == null ? before(kind, id) : edit.after();
    }

    private void require(EntityEdit edit, Kind kind, ResourceType.Target target, @Nullable Object referred) {
        if (!scope.carries(referred)) {
            throw refused(
                    edit,
                    target.pointer(),
                    Mismatch.quoted(
                            target.id(),
                            ResourceType.of(kind).oneLabel() + " with the labels of this token, " + scope.labels()));
        }
    }

    /** A listener that names no certificate presents those of everybody. */
    private void presents(EntityEdit edit, ProxyServer server) {
        boolean everybodys = server.tls() != null
                && server.tls().certificates().isEmpty()
                && server.tls().certPath() == null;
        if (everybodys) {
            throw refused(
                    edit,
                    "/tls/certificates",
                    Mismatch.of(
                            "[], which presents all certificates",
                            "certificates with the labels of this token, " + scope.labels()));
        }
    }

    /** A certificate answers in the name of every listener that names none. */
    private void presented(EntityEdit edit) {
        String other = stored.presenterOfOthers(scope.labels());
        if (other != null) {
            throw refused(
                    edit,
                    "/id",
                    Mismatch.of(
                            edit.id() + ", which proxy server \"" + other + "\" would present",
                            "that it names its certificates, or has the labels of this token, " + scope.labels()));
        }
    }

    /** All proxy servers drop the clients' header of this name, so the nodes of others may lose it. */
    private void namesSubjects(EntityEdit edit, ProxyServer server) {
        String name = subjectHeader(server);
        String before = edit.before() instanceof ProxyServer known ? subjectHeader(known) : null;
        if (name != null && !name.equalsIgnoreCase(before)) {
            throw refused(
                    edit,
                    "/tls/clientSubjectHeader",
                    Mismatch.of(
                            "\"" + name + "\", which every proxy server would drop",
                            (before == null ? "none" : "\"" + before + "\"") + ", or a token without labels"));
        }
    }

    private static @Nullable String subjectHeader(ProxyServer server) {
        return server.tls() == null ? null : server.tls().clientSubjectHeader();
    }

    /** An exact name goes before the wildcard of somebody else. */
    private void gainsNames(EntityEdit edit, Certificate certificate) {
        Set<String> names = new TreeSet<>(CertifiedKey.hosts(CertifiedKey.chain(certificate.chain())));
        if (edit.before() instanceof Certificate before) {
            CertifiedKey.hosts(CertifiedKey.chain(before.chain())).forEach(names::remove);
        }
        String other = names.isEmpty() ? null : stored.presenterOfOthers(edit.id(), scope.labels());
        if (other != null) {
            throw refused(
                    edit,
                    "/chain",
                    Mismatch.of(
                            "also for " + names,
                            "only names that it had, because proxy server \"" + other
                                    + "\" presents it and lacks the labels of this token, " + scope.labels()));
        }
    }

    /** A line of one's own making in the log of all can tell of what others' clients never did. */
    private void writesLines(EntityEdit edit, Object resource) {
        JsonNode log = accessLog(resource);
        boolean common = log.has("template") && !log.has("path");
        if (common && (edit.before() == null || !log.equals(accessLog(edit.before())))) {
            throw refused(
                    edit,
                    "/plugins/accessLog/template",
                    Mismatch.of(
                            log.path("template") + " for the access log of the gateway",
                            "a path in addition, or a token without labels"));
        }
    }

    private static JsonNode accessLog(Object resource) {
        return Json.tree(resource).at("/plugins/accessLog");
    }

    /**
     * A consumer that joins a group gains the rights that others gave the group. A consumer that leaves a group escapes
     * the denials that others gave it.
     */
    private void joins(EntityEdit edit) {
        Consumer before = edit.before() instanceof Consumer known ? known : null;
        Consumer after = edit.after() instanceof Consumer written ? written : null;
        List<String> old = before == null ? List.of() : before.groups();
        List<String> own = after == null ? List.of() : after.groups();
        Set<String> groups = new HashSet<>(old);
        groups.addAll(own);
        groups.removeIf(group -> old.contains(group) && own.contains(group));
        boolean remains = before != null && after != null;
        String other = remains && groups.isEmpty()
                ? null
                : stored.aclOfOthers(remains ? "" : edit.id(), groups, scope.labels());
        if (other != null) {
            throw refused(
                    edit,
                    groups.isEmpty() ? "/id" : "/groups",
                    Mismatch.of(
                            edit.id() + " in " + (after == null ? old : own),
                            "neither it nor its groups in the acl plugin of " + other
                                    + ", which lacks the labels of this token, " + scope.labels()));
        }
    }

    private FailureException refused(EntityEdit edit, String pointer, Mismatch mismatch) {
        String place = single ? "" : JsonPointer.of(ResourceType.of(edit.kind()).field(), edit.id());
        return new FailureException(new Failure.Forbidden(
                edit.kind() + "/" + edit.id() + pointer + ": " + mismatch,
                List.of(Faults.notPermitted(place + pointer, mismatch))));
    }
}
