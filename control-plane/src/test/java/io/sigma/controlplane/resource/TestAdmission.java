package io.sigma.controlplane.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.api.Contract;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.model.FieldError;
import io.sigma.snapshot.ResourceType;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** An admission without a database, which tests offer resources. */
final class TestAdmission implements AutoCloseable {

    private final Vertx vertx = Vertx.vertx();
    private final Contract contract;
    private final Admission admission;

    TestAdmission() throws Exception {
        contract = Contract.load(vertx).await(30, TimeUnit.SECONDS);
        admission = new Admission(contract, new UpstreamGuard(List.of(), Set::of));
    }

    Contract contract() {
        return contract;
    }

    /** Returns where {@code body} is wrong; nothing when it is admitted. */
    List<String> refused(ResourceType<?> type, JsonNode body) {
        try {
            admission.admit(type, body, null);
            return List.of();
        } catch (FailureException e) {
            assertThat(e.failure()).isInstanceOf(Failure.Invalid.class);
            return ((Failure.Invalid) e.failure())
                    .errors().stream().map(FieldError::pointer).toList();
        }
    }

    @Override
    public void close() throws IOException {
        try {
            vertx.close().await(30, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IOException("not closed", e);
        }
    }
}
