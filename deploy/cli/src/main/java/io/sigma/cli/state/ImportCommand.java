package io.sigma.cli.state;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "import",
        description = "List the imports of OpenAPI documents, or remove one import completely.",
        subcommands = {ImportListCommand.class, ImportRemoveCommand.class})
public final class ImportCommand implements Runnable {

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "import: no command (expected: list or remove)");
    }
}
