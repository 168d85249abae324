package io.sigma.dataplane.engine.node;

import java.security.cert.CertificateException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says why the certificates of nodes are not trusted (RFC 9110 §4.3.4). Thread-safe. */
final class UntrustedNodes {

    private static final Logger LOG = LoggerFactory.getLogger(NodeDialer.class);

    /** Nodes whose warnings are remembered; with more nodes, some warnings are repeated. */
    private static final int WARNINGS_MAX = 256;

    private static final long WARNING_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** When it was said last of a node, by {@link System#nanoTime()}. */
    private final Map<String, Long> warnings = new ConcurrentHashMap<>();

    /** Notes that a handshake failed; says so, once in a while for each node, where its certificate is the reason. */
    void handshakeFailed(String node, Throwable cause) {
        if (!isOfCertificate(cause)) {
            return;
        }
        if (warnings.size() >= WARNINGS_MAX) {
            warnings.clear();
        }
        long now = System.nanoTime();
        Long before = warnings.putIfAbsent(node, now);
        if (before == null || (now - before >= WARNING_NANOS && warnings.replace(node, before, now))) {
            LOG.warn("The certificate of the node {} is not trusted: {}", node, cause.getMessage());
        }
    }

    private static boolean isOfCertificate(@Nullable Throwable cause) {
        for (Throwable reason = cause; reason != null; reason = reason.getCause()) {
            if (reason instanceof CertificateException) {
                return true;
            }
        }
        return false;
    }
}
