package io.sigma.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.settings.ControlPlaneSettings;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.settings.SettingsReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigurationPageTest {

    private static final Path PAGE = Path.of("../../docs/configuration.md");
    private static final String BEGIN = "<!-- settings: begin -->\n";
    private static final String END = "<!-- settings: end -->\n";

    /** Run with {@code -Dsigma.docs.update=true} to write the table into the page. */
    @Test
    void thePageListsEverySettingAsItIs() throws Exception {
        String table = SettingsReference.markdown(Map.of(
                "control plane", ControlPlaneSettings.class,
                "gateway", GatewaySettings.class,
                "every process", LogSettings.class));
        String page = Files.readString(PAGE);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        int end = page.indexOf(END);
        if (Boolean.getBoolean("sigma.docs.update")) {
            Files.writeString(PAGE, page.substring(0, begin) + table + page.substring(end));
        }
        assertThat(Files.readString(PAGE)
                        .substring(begin, Files.readString(PAGE).indexOf(END)))
                .isEqualTo(table);
    }
}
