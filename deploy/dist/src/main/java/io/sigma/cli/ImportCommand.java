package io.sigma.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "import",
        description = "What was imported from OpenAPI documents: list it, or remove one import as a whole.",
        subcommands = {ImportListCommand.class, ImportRemoveCommand.class})
final class ImportCommand implements Runnable {

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "import: (expected: list or remove)");
    }
}
