package io.sigma.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class PlainGatewayTest {

    @ParameterizedTest
    @CsvSource({
        "gateway,",
        "gateway --config a/b.json,a/b.json",
        "run,sigma.json",
        "run -conf sigma.json,sigma.json",
        "run --conf a/b.json,a/b.json"
    })
    void plainCommandLineMeansWhatItMeansToPicocli(String line, String file) {
        List<String> words = List.of(line.split(" "));
        PlainGateway plain = PlainGateway.of(words);

        assertThat(plain).isNotNull();
        assertThat(plain.config()).isEqualTo(file == null ? null : Path.of(file));
        String[] rest = words.subList(1, words.size()).toArray(String[]::new);
        GatewayCommand gateway = new GatewayCommand();
        RunCommand run = new RunCommand();
        boolean runs = words.getFirst().equals("run");
        new CommandLine(runs ? run : gateway).parseArgs(rest);
        assertThat(plain.config()).isEqualTo(runs ? run.config : gateway.config);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gateway --takeover",
                "gateway --config",
                "gateway --config --takeover",
                "gateway --help",
                "gateway revoke x",
                "gateway -conf sigma.json",
                "run net.oooops.sigma.Sigma -conf sigma.json",
                "run -conf sigma.json -instance 1",
                "run --verbose",
                "--verbose run",
                "standalone",
                "help"
            })
    void anythingElseIsReadByPicocli(String line) {
        assertThat(PlainGateway.of(List.of(line.split(" ")))).isNull();
    }
}
