package io.sigma.cli;

import io.sigma.cli.input.CaOption;
import io.sigma.cli.input.ExitCode;
import io.sigma.cli.input.Urls;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Callable;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** For containers, whose base image may hold no HTTP client. */
@Command(
        name = "health",
        description =
                "Check the health of a process. Exit code 0: the process answers 200. Exit " + "code 1: it does not.")
final class HealthCommand implements Callable<Integer> {

    private static final Duration WAIT = Duration.ofSeconds(5);

    @Parameters(
            paramLabel = "URL",
            arity = "0..1",
            defaultValue = "http://127.0.0.1:9080/api/v1/health",
            description = "URL to check: ${DEFAULT-VALUE} of a control plane, or http://127.0.0.1:9100/health/ready of "
                    + "a gateway.")
    String url = "";

    @Mixin
    CaOption ca = new CaOption();

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        int status = ask(uri(url));
        spec.commandLine().getOut().println(status);
        return status == 200 ? ExitCode.DONE : ExitCode.FAILED;
    }

    private static URI uri(String url) {
        return Urls.parse("", url, "a URL that starts with http:// or https://");
    }

    private int ask(URI uri) throws IOException {
        try {
            HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection(Proxy.NO_PROXY);
            SSLContext tls = ca.context(System.getenv());
            if (tls != null && connection instanceof HttpsURLConnection encrypted) {
                encrypted.setSSLSocketFactory(tls.getSocketFactory());
            }
            connection.setConnectTimeout((int) WAIT.toMillis());
            connection.setReadTimeout((int) WAIT.toMillis());
            connection.setInstanceFollowRedirects(false);
            try {
                return connection.getResponseCode();
            } finally {
                connection.disconnect();
            }
        } catch (IOException e) {
            throw new IOException("%s does not answer: %s".formatted(uri, e.getMessage()), e);
        }
    }
}
