package io.sigma.dataplane.filter.auth;

import io.sigma.dataplane.exchange.Attributes;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.Identity;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.Replies;
import io.sigma.model.AclPlugin;
import java.util.Collections;
import java.util.Set;

/** Allows and denies by consumer and by group. */
public final class AclFilter implements Filter {

    private final Set<String> allowConsumers;
    private final Set<String> allowGroups;
    private final Set<String> denyConsumers;
    private final Set<String> denyGroups;
    private final boolean allowsAll;

    public AclFilter(AclPlugin plugin) {
        this.allowConsumers = Set.copyOf(plugin.allowConsumers());
        this.allowGroups = Set.copyOf(plugin.allowGroups());
        this.denyConsumers = Set.copyOf(plugin.denyConsumers());
        this.denyGroups = Set.copyOf(plugin.denyGroups());
        this.allowsAll = allowConsumers.isEmpty() && allowGroups.isEmpty();
    }

    @Override
    public Verdict onRequest(Exchange exchange, Replies replies) {
        Identity identity = exchange.get(Attributes.IDENTITY);
        if (identity == null) {
            return Authentication.refuse(exchange, replies);
        }
        if (isDenied(identity) || !isAllowed(identity)) {
            replies.fail(ErrorKind.FORBIDDEN);
            return Verdict.TAKEN;
        }
        return Verdict.CONTINUE;
    }

    private boolean isDenied(Identity identity) {
        return denyConsumers.contains(identity.consumer()) || meet(denyGroups, identity.groups());
    }

    private boolean isAllowed(Identity identity) {
        return allowsAll || allowConsumers.contains(identity.consumer()) || meet(allowGroups, identity.groups());
    }

    private static boolean meet(Set<String> some, Set<String> others) {
        return !Collections.disjoint(some, others);
    }
}
