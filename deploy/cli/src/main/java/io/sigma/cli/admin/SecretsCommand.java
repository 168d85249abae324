package io.sigma.cli.admin;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "secrets",
        description = "Manage the encrypted secrets in the database.",
        subcommands = ReencryptCommand.class)
public final class SecretsCommand implements Runnable {

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "secrets: no command (expected: re-encrypt)");
    }
}
