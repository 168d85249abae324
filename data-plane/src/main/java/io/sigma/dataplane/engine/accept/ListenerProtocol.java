package io.sigma.dataplane.engine.accept;

import io.netty.channel.ChannelHandler;
import org.jspecify.annotations.Nullable;

/**
 * The protocol of a listener's connections. {@code LoopListener} gives it each connection that is ready. Thread-safe.
 */
public interface ListenerProtocol {

    /** The time for the last bytes of a connection whose time to drain is over, in milliseconds. */
    long LAST_MILLIS = 8_000;

    /** Speaks the protocol of one connection, as the last handler of its pipeline. Confined to the event loop. */
    interface Speaker extends ChannelHandler {

        /** Ends the connection after what runs on it or begins soon; {@code millis} later it is closed anyway. */
        void drain(long millis);

        /**
         * As {@link #drain}, while another process accepts at the address: a connection without anything on it may
         * wait for what comes next all the time, because its peer cannot know that it will end.
         */
        default void retire(long millis) {
            drain(millis);
        }

        /**
         * Returns whether it ends the connection itself when the time to drain is over, within {@link #LAST_MILLIS}.
         * Any other connection is closed at once then.
         */
        default boolean endsInTime() {
            return true;
        }
    }

    /** The ways of an encrypted connection. Confined to its event loop. */
    interface Fate {

        /**
         * Decrypts the connection, and adds the speaker of the listener. The next bytes go to handlers that are added.
         */
        void decrypt();

        /** Passes the connection on without decrypting it: {@code speaker} gets the next bytes. */
        void pass(Speaker speaker);
    }

    /**
     * Returns what looks at the first bytes of an encrypted connection and decides once which way it goes, as the last
     * handler of its pipeline; null where all are decrypted. Called on the event loop of the connection.
     */
    default @Nullable ChannelHandler beforeTls(AcceptedConnection connection, Fate fate) {
        return null;
    }

    /**
     * Returns what speaks on a connection whose PROXY header is read and whose TLS handshake is done; called on its
     * event loop.
     */
    Speaker speaker(AcceptedConnection connection);
}
