package io.sigma.cli;

import io.sigma.cli.input.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(name = "version", description = "Print the version of Sigma and of its Java.")
final class VersionCommand implements Callable<Integer>, IVersionProvider {

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        spec.commandLine().getOut().println(getVersion()[0]);
        return ExitCode.DONE;
    }

    /** For {@code --version}, which people try first. */
    @Override
    public String[] getVersion() throws IOException {
        return new String[] {"sigma %s (Java %s)".formatted(version(), System.getProperty("java.version"))};
    }

    static String version() throws IOException {
        Properties properties = new Properties();
        try (InputStream in = VersionCommand.class.getResourceAsStream("/sigma.properties")) {
            properties.load(Objects.requireNonNull(in, "sigma.properties"));
        }
        return properties.getProperty("version");
    }
}
