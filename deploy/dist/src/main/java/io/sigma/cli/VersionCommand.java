package io.sigma.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(name = "version", description = "Print the version of Sigma and of its Java.")
final class VersionCommand implements Callable<Integer> {

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        spec.commandLine().getOut().printf("sigma %s (Java %s)%n", version(), System.getProperty("java.version"));
        return Main.DONE;
    }

    static String version() throws IOException {
        Properties properties = new Properties();
        try (InputStream in = VersionCommand.class.getResourceAsStream("/sigma.properties")) {
            properties.load(Objects.requireNonNull(in, "sigma.properties"));
        }
        return properties.getProperty("version");
    }
}
