package io.sigma.controlplane.resource;

import io.sigma.check.Faults;
import io.sigma.check.TargetAddress;
import io.sigma.model.FieldError;
import io.sigma.value.AddressGuard;
import io.sigma.value.Mismatch;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * Refuses nodes, and URLs that gateways ask by themselves, that say themselves that they lead where no gateway may
 * connect to ({@link AddressGuard}). Names are not resolved here: gateways judge each address when they connect to it.
 * Thread-safe.
 */
public final class UpstreamGuard {

    private final AddressGuard addresses;

    /**
     * @param allow as the setting {@code upstreamAllow}
     * @param deny as the setting {@code upstreamDeny}
     * @param ownPort whether this process, or its database, listens on a port
     */
    public UpstreamGuard(List<String> allow, List<String> deny, IntPredicate ownPort) {
        this.addresses = new AddressGuard(allow, deny, ownPort);
    }

    /** Returns the URLs of {@code resource} that are refused, each field once. They are valid. */
    List<FieldError> check(Object resource) {
        Map<String, Mismatch> refused = new LinkedHashMap<>();
        for (TargetAddress target : TargetAddress.of(resource)) {
            Mismatch mismatch = target.refusal(addresses);
            if (mismatch != null) {
                refused.putIfAbsent(target.pointer(), mismatch);
            }
        }
        return refused.entrySet().stream()
                .map(entry -> Faults.notPermitted(entry.getKey(), entry.getValue()))
                .toList();
    }
}
