package io.sigma.dataplane.engine;

import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.resolver.dns.DnsErrorCauseException;
import io.netty.resolver.dns.DnsNameResolverTimeoutException;
import java.net.UnknownHostException;

/** The answers of name servers. */
public final class NameAnswers {

    private NameAnswers() {}

    /** Returns whether a server answered that there is nothing of that type, or no such name. */
    public static boolean saysThereIsNone(Throwable cause) {
        for (Throwable each = cause; each != null; each = each.getCause()) {
            if (each instanceof DnsNameResolverTimeoutException) {
                return false;
            }
            if (each instanceof DnsErrorCauseException error) {
                return error.getCode().equals(DnsResponseCode.NXDOMAIN);
            }
        }
        return cause instanceof UnknownHostException;
    }
}
