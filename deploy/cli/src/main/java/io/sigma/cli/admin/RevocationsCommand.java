package io.sigma.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.cli.api.AdminApi;
import io.sigma.cli.api.ApiOptions;
import io.sigma.cli.input.ExitCode;
import io.sigma.cli.input.Ids;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(name = "revocations", description = "List the revoked gateways: id, time, user and reason.")
public final class RevocationsCommand implements Callable<Integer> {

    @Mixin
    ApiOptions apiOptions = new ApiOptions();

    @Spec
    CommandSpec spec = CommandSpec.create();

    /** Returns the path of the revocation of a gateway. */
    static String path(String id) {
        return path(id, "revocation");
    }

    /** Returns the path of what is kept of a gateway under {@code name}. */
    static String path(String id, String name) {
        return "/gateways/" + Ids.segment(id) + "/" + name;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Map<String, String> query = new HashMap<>(Map.of("limit", "1000"));
        try (AdminApi api = apiOptions.open()) {
            JsonNode page;
            do {
                page = api.get("/gateway-revocations", query);
                page.path("items").forEach(this::print);
                query.put("cursor", page.path("nextCursor").asText());
            } while (page.hasNonNull("nextCursor"));
        }
        return ExitCode.DONE;
    }

    private void print(JsonNode one) {
        spec.commandLine()
                .getOut()
                .printf(
                        "%s %s %s %s%n",
                        one.path("gatewayId").asText(),
                        one.path("revokedAt").asText(),
                        one.path("revokedBy").asText(),
                        one.path("reason").asText("-"));
    }
}
