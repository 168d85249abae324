package io.sigma.cli.process;

import picocli.CommandLine.Option;

/** The option {@code --takeover}. */
final class TakeoverOption {

    @Option(
            names = "--takeover",
            description = "Replace the gateway that runs with the same data directory. This process gets the listening "
                    + "sockets, the revision and the learned state of that gateway. No connection is refused or "
                    + "reset. The old process ends with its last connection. Without such a gateway, this process "
                    + "starts as usual.")
    private boolean wanted;

    /** Returns whether the place of another process is to be taken. */
    boolean isWanted() {
        return wanted;
    }
}
