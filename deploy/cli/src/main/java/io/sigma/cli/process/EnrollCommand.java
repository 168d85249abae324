package io.sigma.cli.process;

import io.sigma.cli.input.ExitCode;
import io.sigma.cli.input.InvalidInput;
import io.sigma.cli.input.SettingsOption;
import io.sigma.dataplane.link.Enrolment;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.settings.OwnIdentity;
import io.sigma.standalone.VertxFactory;
import io.vertx.core.Vertx;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "enroll",
        description = "Get a certificate for a gateway from the control planes of SIGMA_CONTROL_PLANES with "
                + "SIGMA_JOIN_TOKEN, and store it in the data directory. The gateway then runs without the "
                + "token.")
public final class EnrollCommand implements Callable<Integer> {

    private static final int WAIT_SECONDS = 60;

    @Mixin
    SettingsOption settingsOption = new SettingsOption();

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        GatewaySettings settings = settingsOption.read().gateway();
        if (settings.link().controlPlanes().isEmpty()) {
            throw new InvalidInput("controlPlanes: empty (expected: SIGMA_CONTROL_PLANES as host[:port],…)");
        }
        String joinToken = settings.link().joinToken();
        if (joinToken == null) {
            throw new InvalidInput(
                    "joinToken: absent (expected: the join token of the control planes, in SIGMA_JOIN_TOKEN)");
        }
        Vertx vertx = VertxFactory.forControlPlane();
        try {
            String id = OwnIdentity.id(settings);
            Enrolment.Enrolled enrolled = Enrolment.enrol(
                            vertx, id, settings.dataDir(), settings.link().controlPlanes(), joinToken)
                    .await(WAIT_SECONDS, TimeUnit.SECONDS);
            spec.commandLine()
                    .getOut()
                    .printf(
                            "Gateway %s is enrolled with %s; its certificate is valid until %s%n",
                            enrolled.gatewayId(), enrolled.controlPlane(), enrolled.validUntil());
            return ExitCode.DONE;
        } finally {
            vertx.close().await(WAIT_SECONDS, TimeUnit.SECONDS);
        }
    }
}
