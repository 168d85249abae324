package io.sigma.controlplane.analysis;

import io.sigma.model.Kind;
import io.sigma.model.Plugins;
import io.sigma.model.Referrer;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The resources that authenticate consumers, and those that distinguish them. Confined to the analysis. */
final class PluginUse {

    private static final Comparator<Referrer> ORDER =
            Comparator.comparing(Referrer::kind).thenComparing(Referrer::id);

    private final Set<Referrer> keyAuth = new TreeSet<>(ORDER);
    private final Set<Referrer> basicAuth = new TreeSet<>(ORDER);
    private final Set<Referrer> jwt = new TreeSet<>(ORDER);
    private final Set<Referrer> acl = new TreeSet<>(ORDER);

    /** Notes the plugins that a resource has now; null when it has none. */
    void change(Kind kind, String id, @Nullable Plugins plugins) {
        Referrer own = new Referrer(kind, id);
        note(
                keyAuth,
                own,
                plugins != null
                        && plugins.keyAuth() != null
                        && plugins.keyAuth().enabled());
        note(
                basicAuth,
                own,
                plugins != null
                        && plugins.basicAuth() != null
                        && plugins.basicAuth().enabled());
        note(jwt, own, plugins != null && plugins.jwt() != null && plugins.jwt().enabled());
        note(acl, own, hasAcl(plugins));
    }

    private static void note(Set<Referrer> all, Referrer one, boolean uses) {
        if (uses) {
            all.add(one);
        } else if (!all.isEmpty()) {
            all.remove(one);
        }
    }

    static boolean hasAcl(@Nullable Plugins plugins) {
        return plugins != null && plugins.acl() != null && plugins.acl().enabled();
    }

    /** Returns whether a level finds out who a client is. */
    static boolean knowsConsumers(@Nullable Plugins plugins) {
        return plugins != null
                && ((plugins.keyAuth() != null && plugins.keyAuth().enabled())
                        || (plugins.basicAuth() != null && plugins.basicAuth().enabled())
                        || (plugins.jwt() != null && plugins.jwt().enabled()));
    }

    boolean keyAuth() {
        return !keyAuth.isEmpty();
    }

    boolean basicAuth() {
        return !basicAuth.isEmpty();
    }

    boolean jwt() {
        return !jwt.isEmpty();
    }

    /** Returns who tells consumers apart, in order. */
    Set<Referrer> acl() {
        return acl;
    }

    /** Returns which ways of knowing consumers are in use, as a number to compare. */
    int ways() {
        return (keyAuth() ? 1 : 0) | (basicAuth() ? 2 : 0) | (jwt() ? 4 : 0);
    }
}
