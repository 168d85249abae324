package io.sigma.dataplane.upstream;

/**
 * The knowledge if a plaintext node speaks HTTP/2 (RFC 9113 §3.3). The gateway tries HTTP/2 only for requests that need
 * it, and does not try again for a while if the node does not speak it. Thread-safe.
 */
final class PriorKnowledge {

    private static final long HTTP1_NANOS = 10_000_000_000L;

    private volatile boolean http2;
    private volatile boolean http1;
    /** When it was found out that it speaks HTTP/1.1. */
    private volatile long http1Nanos;

    /** It has answered in HTTP/2. */
    void spoke() {
        http2 = true;
        http1 = false;
    }

    /**
     * It has not answered in HTTP/2.
     *
     * @return whether it is taken for a node of HTTP/1.1; a node that spoke HTTP/2 before and says nothing is broken
     */
    boolean refused(NotHttp2 how, long nowNanos) {
        if (http2 && !how.isAnswered()) {
            return false;
        }
        http2 = false;
        http1Nanos = nowNanos;
        http1 = true;
        return true;
    }

    /** Returns whether it has answered in HTTP/2. */
    boolean isHttp2() {
        return http2;
    }

    /** Returns whether it did not a while ago. */
    boolean isHttp1(long nowNanos) {
        return http1 && nowNanos - http1Nanos < HTTP1_NANOS;
    }
}
