package io.sigma.dataplane.engine.datagram;

import io.sigma.dataplane.exchange.StreamEnd;
import io.sigma.dataplane.loop.Deadlines;
import io.sigma.dataplane.loop.Loop;
import io.sigma.model.ServerUdp;

/** The timers of a session: without a datagram, and without a response. Confined to the event loop. */
final class SessionTimes {

    /** The time without a datagram after which a closing session ends, in milliseconds. UDP has no last datagram. */
    private static final int QUIET_MILLIS = 2_000;

    private final Deadlines idles;
    private final Deadlines responses;
    private int idleMillis;
    /** 0 for any time. */
    private final int responseMillis;

    private final Ending idle;
    private final Ending response;
    private boolean waiting;

    SessionTimes(DatagramSession session, Loop loop, ServerUdp udp) {
        this.idles = loop.connectionDeadlines();
        this.responses = loop.exchangeDeadlines();
        this.idleMillis = udp.idleTimeoutMillis();
        Integer most = udp.responseTimeoutMillis();
        this.responseMillis = most == null ? 0 : most;
        this.idle = new Ending(session, StreamEnd.IDLE_TIMEOUT);
        this.response = new Ending(session, StreamEnd.RESPONSE_TIMEOUT);
    }

    /** Ends a session when its time is over. */
    private static final class Ending extends Deadlines.Entry {

        private final DatagramSession session;
        private StreamEnd reason;

        Ending(DatagramSession session, StreamEnd reason) {
            this.session = session;
            this.reason = reason;
        }

        @Override
        protected void onDeadline() {
            session.close(reason);
        }
    }

    /** A datagram passed in either direction. */
    void passed() {
        idles.set(idle, idleMillis);
    }

    /** A datagram was sent to the node. */
    void asked() {
        if (responseMillis > 0 && !waiting) {
            waiting = true;
            responses.set(response, responseMillis);
        }
    }

    /**
     * A datagram came from the node.
     *
     * @param more whether responses are outstanding
     */
    void answered(boolean more) {
        if (responseMillis > 0 && waiting) {
            waiting = more;
            if (more) {
                responses.set(response, responseMillis);
            } else {
                responses.pause(response);
            }
        }
    }

    /** The session ends as soon as nothing passes for a moment. */
    void drain() {
        idleMillis = Math.min(idleMillis, QUIET_MILLIS);
        idle.reason = StreamEnd.DRAINED;
        idles.set(idle, idleMillis);
    }

    void end() {
        idles.remove(idle);
        responses.remove(response);
    }
}
