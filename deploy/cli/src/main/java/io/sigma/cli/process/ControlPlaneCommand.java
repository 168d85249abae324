package io.sigma.cli.process;

import io.sigma.cli.input.InvalidInput;
import io.sigma.cli.input.SettingsOption;
import io.sigma.controlplane.ControlPlane;
import io.sigma.controlplane.settings.ControlPlaneSettings;
import io.sigma.standalone.VertxFactory;
import io.sigma.value.Addresses;
import io.vertx.core.Vertx;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "control-plane",
        description =
                "Run the admin API, the dashboard and the port for gateways, with the database at SIGMA_DATABASE_URL.")
public final class ControlPlaneCommand implements Callable<Integer> {

    private static final int STOP_SECONDS_MAX = 15;

    @Mixin
    SettingsOption settingsOption = new SettingsOption();

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        return UntilStopped.run(0, this::start);
    }

    private AutoCloseable start() throws Exception {
        ControlPlaneSettings settings = settingsOption.read().controlPlane();
        if (settings.database().databaseUrl() == null) {
            throw new InvalidInput(
                    "databaseUrl: absent (expected: SIGMA_DATABASE_URL or databaseUrl in the settings file, as"
                            + " postgresql://user:password@host:port/database)");
        }
        Vertx vertx = VertxFactory.forControlPlane();
        Cleanup cleanup = new Cleanup().add(() -> vertx.close().await(STOP_SECONDS_MAX, TimeUnit.SECONDS));
        try {
            // Waiting for the database has a bound of its own, databaseStartMillis.
            ControlPlane controlPlane = ControlPlane.start(vertx, settings).await();
            cleanup.add(() -> controlPlane.close().await(STOP_SECONDS_MAX, TimeUnit.SECONDS));
            controlPlane.firstAdmin().ifPresent(spec.commandLine().getOut()::println);
            spec.commandLine()
                    .getOut()
                    .printf(
                            "Sigma is ready: dashboard %s://%s/%n",
                            settings.admin().tls() ? "https" : "http",
                            Addresses.authority(settings.admin().adminHost(), controlPlane.adminPort()));
            return cleanup;
        } catch (Throwable e) {
            cleanup.close();
            throw e;
        }
    }
}
