package io.sigma.dataplane.engine.body;

/**
 * Gives the body of a request as it is asked for. {@code ClientStream} implements it, and {@code RequestBody} calls
 * it. Confined to the event loop.
 */
public interface BodySource {

    /** Stops reading. */
    void pause();

    void resume();

    /** Has the rest arrive by {@link RequestBody#onPiped}, where that is possible and pays. */
    default void pipe() {}

    /** Hears that so much more memory is held for the body, in bytes. */
    void grew(long bytes);

    /** Hears once that more than allowed has come; reading has stopped then. */
    void bodyTooLarge();
}
