package io.sigma.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceConfigurationError;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class MainTest {

    @Test
    void noCommandIsAnsweredWithTheUsage() {
        Cli cli = Cli.run();
        assertThat(cli.exitCode()).isEqualTo(2);
        assertThat(cli.err()).startsWith("Usage: sigma").contains("version");
        assertThat(cli.out()).isEmpty();
    }

    @Test
    void noCommandRunsTheFileOfTheFolderWhereThereIsOne(@TempDir Path folder) throws IOException {
        assertThat(Main.command(folder)).isEmpty();
        Path file = folder.resolve("sigma.json");
        Files.createDirectory(file);
        assertThat(Main.command(folder)).isEmpty();
        Files.delete(file);
        Files.writeString(file, "{}");
        assertThat(Main.command(folder)).containsExactly("run", "-conf", file.toString());
        assertThat(Main.command(folder, "version")).containsExactly("version");
    }

    /** Else threads that were started by then would keep a process alive that does nothing. */
    @Test
    void errorEndsACommandToo() {
        StringWriter err = new StringWriter();
        CommandLine failing = new CommandLine(CommandLine.Model.CommandSpec.forAnnotatedObject(new Failing()))
                .setErr(new PrintWriter(err, true));
        assertThat(Main.execute(failing)).isEqualTo(1);
        assertThat(err.toString()).isEqualToNormalizingNewlines("sigma: a plugin cannot be made\n");
    }

    @CommandLine.Command(name = "failing")
    private static final class Failing implements Callable<Integer> {

        @Override
        public Integer call() {
            throw new ServiceConfigurationError("a plugin cannot be made");
        }
    }

    @Test
    void helpIsNoError() {
        Cli cli = Cli.run("help");
        assertThat(cli.exitCode()).isZero();
        assertThat(cli.out()).startsWith("Usage: sigma");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-h", "--help"})
    void helpIsAnOptionOfEachCommandToo(String option) {
        assertThat(Cli.run(option).out()).startsWith("Usage: sigma").contains("version");
        Cli cli = Cli.run("apply", option);
        assertThat(cli.exitCode()).isZero();
        assertThat(cli.out()).startsWith("Usage: sigma apply").contains("--dry-run");
        assertThat(cli.err()).isEmpty();
    }

    /** A process that serves is started with its own command alone; its options are those of the usage text. */
    @Test
    void aServingCommandIsTheSameAloneAsAmongAll() {
        Commands.SERVING.forEach((name, type) -> {
            assertThat(type.getAnnotation(CommandLine.Command.class).name()).isEqualTo(name);
            Cli alone = Cli.run(name, "--help");
            Cli among = Cli.run("help", name);
            assertThat(alone.exitCode()).isZero();
            assertThat(alone.out())
                    .startsWith("Usage: sigma " + name)
                    .contains("--verbose")
                    .isEqualTo(among.out());
            assertThat(Cli.run(name, "--nonsense").err())
                    .isEqualToIgnoringNewLines("sigma: Unknown option: '--nonsense'Try: sigma help " + name);
        });
        assertThat(Cli.run("help").out()).contains(Commands.SERVING.keySet());
    }

    @Test
    void aGatewayHasItsCommandsUnlessItIsStarted() {
        assertThat(Cli.run("gateway", "--help").out()).contains("revoke", "readmit", "revocations", "waive");
        assertThat(Cli.run("gateway", "revoke", "--help").out()).startsWith("Usage: sigma gateway revoke");
        CommandLine started = Commands.of(Main.command(), "gateway", "--config", "sigma.json");
        assertThat(started.getSubcommands()).containsOnlyKeys("gateway");
        assertThat(started.getSubcommands().get("gateway").getSubcommands()).isEmpty();
    }

    @Test
    void aMisspeltCommandIsAnsweredWithTheLikelyOne() {
        Cli cli = Cli.run("versoin");
        assertThat(cli.exitCode()).isEqualTo(2);
        assertThat(cli.err())
                .contains("sigma: Unmatched argument at index 0: 'versoin'")
                .contains("sigma version");
    }

    @Test
    void anUnknownOptionIsRefusedWithoutAStackTrace() {
        Cli cli = Cli.run("version", "--nonsense");
        assertThat(cli.exitCode()).isEqualTo(2);
        assertThat(cli.err()).isEqualToIgnoringNewLines("sigma: Unknown option: '--nonsense'Try: sigma help version");
    }

    @ParameterizedTest
    @ValueSource(strings = {"version", "--version", "-V"})
    void versionNamesSigmaAndJava(String asked) {
        Cli cli = Cli.run(asked);
        assertThat(cli.exitCode()).isZero();
        assertThat(cli.out()).matches("sigma \\d+\\.\\d+\\.\\d+\\S* \\(Java \\d+.*\\)\\R");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://127.0.0.1/", "http://", "9080", "http://a b/"})
    void healthRefusesWhatIsNoHttpUrl(String url) {
        Cli cli = Cli.run("health", url);
        assertThat(cli.exitCode()).isEqualTo(2);
        assertThat(cli.err()).contains("\"" + url + "\" (expected: a URL that starts with http:// or https://)");
    }
}
