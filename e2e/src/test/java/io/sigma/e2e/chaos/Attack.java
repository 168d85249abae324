package io.sigma.e2e.chaos;

import java.io.IOException;

/** Something that a client does to take the gateway from others. Attacks have no state; {@link Attacks} lists them. */
interface Attack {

    /** Returns the name, lower case with hyphens. */
    String name();

    /** Returns how many connections do it at the same time. */
    int connections();

    /** Returns how many addresses these connections come from. */
    int addresses();

    /** Returns how long the tests do it, in milliseconds; what others meet only after a timeout needs longer. */
    long briefMillis();

    /** Returns whether it needs what only the gateway is configured for, so that there is nothing to compare with. */
    boolean gatewayOnly();

    /**
     * Does what one connection does. When it returns or fails before the time is up, it is called again.
     *
     * @throws IOException when the target ended the connection, which is a fair answer to an attack
     */
    void once(Attacker attacker) throws IOException;

    /** A step of an attack on a connection. */
    @FunctionalInterface
    interface Step {
        void once(Attacker attacker) throws IOException;
    }

    static Attack of(String name, int connections, Step step) {
        return new Simple(name, connections, 1, 1_000, false, step);
    }

    /** Returns the same attack for which a moment is not enough, because what it takes is missed only after a while. */
    default Attack thatHolds() {
        return new Simple(name(), connections(), addresses(), 2_500, gatewayOnly(), this::once);
    }

    /** Returns the same attack from many addresses. */
    default Attack from(int addresses) {
        return new Simple(name(), connections(), addresses, briefMillis(), gatewayOnly(), this::once);
    }

    /** Returns the same attack, not to be tried on other proxies. */
    default Attack ofTheGatewayOnly() {
        return new Simple(name(), connections(), addresses(), briefMillis(), true, this::once);
    }

    /** An attack made of values. */
    record Simple(String name, int connections, int addresses, long briefMillis, boolean gatewayOnly, Step step)
            implements Attack {

        @Override
        public void once(Attacker attacker) throws IOException {
            step.once(attacker);
        }
    }
}
