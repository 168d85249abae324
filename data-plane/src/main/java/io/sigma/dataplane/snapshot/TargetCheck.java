package io.sigma.dataplane.snapshot;

import io.sigma.check.TargetAddress;
import io.sigma.json.JsonPointer;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.ResourceType;
import io.sigma.value.AddressGuard;
import io.sigma.value.Mismatch;
import java.util.List;

/**
 * Part of the vote: says of the addresses that resources name whether this gateway would connect to them. What is
 * served already is not judged again, and nothing is refused when it is served: one node that may not be connected to
 * keeps no other from its requests.
 */
public final class TargetCheck {

    private TargetCheck() {}

    /**
     * Looks at what differs from {@code served}, also where no other resource names it: naming it must not be what is
     * refused.
     *
     * @throws SnapshotRefused with the pointer of the first field that no connection would be made to
     */
    public static void check(ConfigState next, ConfigState served, AddressGuard addresses) {
        for (ResourceType<?> type : ResourceType.ALL) {
            next.forEachChange(served, type, (id, before, after) -> {
                List<String> known = TargetAddress.of(before).stream()
                        .map(TargetAddress::text)
                        .toList();
                for (TargetAddress target : TargetAddress.of(after)) {
                    Mismatch mismatch = known.contains(target.text()) ? null : target.refusal(addresses);
                    if (mismatch != null) {
                        throw new SnapshotRefused(
                                JsonPointer.of(type.field(), id) + target.pointer(), mismatch.toString());
                    }
                }
            });
        }
    }
}
