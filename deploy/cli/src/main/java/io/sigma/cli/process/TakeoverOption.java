package io.sigma.cli.process;

import picocli.CommandLine.Option;

/** The option {@code --takeover}. */
final class TakeoverOption {

    @Option(
            names = "--takeover",
            description =
                    "Take the place of the gateway that runs with the same data directory: its listening sockets, "
                            + "its revision and what it has learned come along, no connection is refused or reset, and it ends "
                            + "when its connections have. Without such a gateway, this starts as usual.")
    private boolean wanted;

    /** Returns whether the place of another process is to be taken. */
    boolean isWanted() {
        return wanted;
    }
}
