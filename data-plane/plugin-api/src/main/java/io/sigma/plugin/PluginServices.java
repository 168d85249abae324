package io.sigma.plugin;

import java.io.IOException;

/** The services of a gateway for plugins that are not part of Sigma. */
public interface PluginServices {

    /**
     * Returns the content of a file that the configuration names, of at most 4 MiB. A plugin may open none in another
     * way, since only this one keeps to the folders that the operator opened.
     *
     * @param path absolute, or below the gateway's data folder
     * @throws IOException when the file cannot be read or is in no folder that is open; its message is for the user
     */
    byte[] read(String path) throws IOException;
}
