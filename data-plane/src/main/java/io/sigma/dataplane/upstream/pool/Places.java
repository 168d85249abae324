package io.sigma.dataplane.upstream.pool;

/** Places of one node that its clients share: none of their addresses can take all of them. Thread-safe. */
public final class Places {

    private final AddressShares shares = new AddressShares();
    private final int max;

    /**
     * @param max how many there are
     */
    public Places(int max) {
        this.max = max;
    }

    /**
     * Takes one.
     *
     * @return false when there is none for {@code client}
     */
    public boolean tryTake(long client) {
        return shares.tryTake(client, max);
    }

    /** Gives back one that was taken. */
    public void giveBack(long client) {
        shares.giveBack(client);
    }
}
