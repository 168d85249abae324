package io.sigma.dataplane.disk;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;

/** Where a log is written that the configuration names. Confined to the writer's thread. */
public interface LogPlace {

    /**
     * Opens the file at its end, and makes it and its folder where they are not there.
     *
     * @throws PathRefused when the settings of the gateway do not open the path
     * @throws IOException when something else is there, or the disk does not take it
     */
    SeekableByteChannel open() throws IOException;

    /**
     * Puts the file aside, which is closed: {@code access.log}, {@code access.log.1}, ...
     *
     * @param filesMax how many are kept, the one that is opened next included
     * @throws IOException when a file is in the way that the log did not make; nothing is moved then
     */
    void rotate(int filesMax) throws IOException;
}
