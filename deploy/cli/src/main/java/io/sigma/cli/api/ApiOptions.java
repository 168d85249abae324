package io.sigma.cli.api;

import io.sigma.cli.input.CaOption;
import io.sigma.cli.input.InvalidInput;
import io.sigma.cli.input.Urls;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where the admin API is, and who asks. */
public final class ApiOptions {

    private static final String URL_VARIABLE = "SIGMA_URL";
    private static final String TOKEN_VARIABLE = "SIGMA_TOKEN";
    private static final String TOKEN_FILE_VARIABLE = "SIGMA_TOKEN_FILE";
    private static final String DEFAULT_URL = "http://127.0.0.1:9080";

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "URL of the admin API. The default is SIGMA_URL, then " + DEFAULT_URL + ".")
    @Nullable
    String url;

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description = "Token of the admin API. Other users of the machine may see it in the list of processes; "
                    + "--token-file, SIGMA_TOKEN and SIGMA_TOKEN_FILE avoid that.")
    @Nullable
    String token;

    @Option(names = "--token-file", paramLabel = "FILE", description = "File with the token.")
    @Nullable
    Path tokenFile;

    @Mixin
    CaOption ca = new CaOption();

    /** @throws InvalidInput when the URL or the token is missing or malformed */
    public AdminApi open() throws IOException {
        return open(System.getenv());
    }

    public AdminApi open(Map<String, String> environment) throws IOException {
        String chosen = url == null ? environment.getOrDefault(URL_VARIABLE, DEFAULT_URL) : url;
        return new AdminApi(uri(chosen), token(environment), ca.context(environment));
    }

    private static URI uri(String url) {
        String expected = "such as " + DEFAULT_URL;
        URI uri = Urls.parse("--url: ", url.endsWith("/") ? url.substring(0, url.length() - 1) : url, expected);
        if (uri.getRawQuery() != null) {
            throw new InvalidInput("--url: \"" + url + "\" (expected: " + expected + ")");
        }
        return uri;
    }

    private String token(Map<String, String> environment) throws IOException {
        String named = environment.getOrDefault(TOKEN_FILE_VARIABLE, "");
        String given = token;
        if (given == null && tokenFile != null) {
            given = read(tokenFile);
        }
        if (given == null && !environment.getOrDefault(TOKEN_VARIABLE, "").isEmpty()) {
            given = environment.get(TOKEN_VARIABLE);
        }
        if (given == null && !named.isEmpty()) {
            given = read(Path.of(named));
        }
        if (given == null) {
            throw new InvalidInput("token: absent (expected: SIGMA_TOKEN, SIGMA_TOKEN_FILE, --token-file or --token)");
        }
        if (!given.matches("[!-~]+")) {
            throw new InvalidInput("token: [redacted] (expected: printable ASCII without spaces)");
        }
        return given;
    }

    private static String read(Path file) throws IOException {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new InvalidInput(file + ": cannot be read (expected: a file that holds the token)");
        }
        return Files.readString(file).strip();
    }
}
