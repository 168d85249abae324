package io.sigma.controlplane.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.api.contract.Contract;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.model.FieldError;
import io.sigma.snapshot.ResourceType;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** An admission without a database, which the tests of a class offer resources. */
final class TestAdmission implements BeforeAllCallback, AfterAllCallback {

    private final Vertx vertx = Vertx.vertx();
    private @Nullable Contract contract;
    private @Nullable ResourceAdmission admission;

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        contract = Contract.load(vertx).await(30, TimeUnit.SECONDS);
        admission = new ResourceAdmission(contract, new UpstreamGuard(List.of(), List.of(), port -> false));
    }

    Contract contract() {
        return Objects.requireNonNull(contract);
    }

    /** Returns where {@code body} is wrong; nothing when it is admitted. */
    List<String> refused(ResourceType<?> type, JsonNode body) {
        try {
            Objects.requireNonNull(admission).admit(type, body, null);
            return List.of();
        } catch (FailureException e) {
            assertThat(e.failure()).isInstanceOf(Failure.Invalid.class);
            return ((Failure.Invalid) e.failure())
                    .errors().stream().map(FieldError::pointer).toList();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        // Fields of classes last as long as the JVM, and a contract takes 70 MB.
        contract = null;
        admission = null;
        vertx.close().await(30, TimeUnit.SECONDS);
    }
}
