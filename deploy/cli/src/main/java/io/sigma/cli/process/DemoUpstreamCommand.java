package io.sigma.cli.process;

import io.sigma.standalone.DemoUpstream;
import io.vertx.core.Vertx;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(name = "demo-upstream", description = "Run a demo server that answers with the request it received.")
public final class DemoUpstreamCommand implements Callable<Integer> {

    private static final int WAIT_SECONDS = 10;

    @Option(names = "--host", defaultValue = "127.0.0.1", description = "Address to listen on (${DEFAULT-VALUE}).")
    String host = "";

    @Option(names = "--port", defaultValue = "8888", description = "Port to listen on (${DEFAULT-VALUE}).")
    int port;

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        return UntilStopped.run(0, () -> {
            Vertx vertx = Vertx.vertx();
            DemoUpstream upstream = DemoUpstream.start(vertx, host, port).await(WAIT_SECONDS, TimeUnit.SECONDS);
            spec.commandLine().getOut().printf("The demo upstream is ready: http://%s:%d/%n", host, upstream.port());
            return () -> vertx.close().await(WAIT_SECONDS, TimeUnit.SECONDS);
        });
    }
}
