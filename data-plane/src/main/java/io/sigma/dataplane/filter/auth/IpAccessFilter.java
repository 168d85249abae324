package io.sigma.dataplane.filter.auth;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.Replies;
import io.sigma.model.IpAccessPlugin;
import io.sigma.value.AddressRange;
import java.net.InetAddress;
import java.util.List;

/** Keeps out clients by address. */
public final class IpAccessFilter implements Filter {

    private final AddressRange[] allow;
    private final AddressRange[] deny;

    public IpAccessFilter(IpAccessPlugin plugin) {
        this.allow = ranges(plugin.allow());
        this.deny = ranges(plugin.deny());
    }

    private static AddressRange[] ranges(List<String> texts) {
        return texts.stream().map(AddressRange::parse).toArray(AddressRange[]::new);
    }

    @Override
    public boolean isPure() {
        return true;
    }

    @Override
    public Verdict onRequest(Exchange exchange, Replies replies) {
        InetAddress client = exchange.clientAddress();
        if (contains(deny, client) || (allow.length > 0 && !contains(allow, client))) {
            replies.fail(ErrorKind.FORBIDDEN);
            return Verdict.TAKEN;
        }
        return Verdict.CONTINUE;
    }

    private static boolean contains(AddressRange[] ranges, InetAddress address) {
        for (AddressRange range : ranges) {
            if (range.contains(address)) {
                return true;
            }
        }
        return false;
    }
}
