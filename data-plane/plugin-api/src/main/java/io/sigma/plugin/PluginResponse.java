package io.sigma.plugin;

/** The head of a response on its way to the client. Confined to the event loop of the client's connection. */
public interface PluginResponse {

    /** Returns the status, 200..599. */
    int status();

    void status(int status);

    PluginFields fields();
}
