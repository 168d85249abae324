package io.sigma.controlplane.api.operation;

import io.sigma.controlplane.api.request.Answer;
import io.sigma.controlplane.api.request.ApiCall;
import io.sigma.controlplane.api.request.OperationHandler;
import io.sigma.controlplane.cluster.ClusterAuthority;
import io.sigma.controlplane.secret.KeyRing;
import io.sigma.controlplane.store.AuditEntry;
import io.sigma.controlplane.store.Store;
import io.sigma.controlplane.store.database.Database;
import io.sigma.model.SecretsReencryption;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;

/** Operations on the key that secrets in the database are encrypted with. */
final class SecretOperations {

    private final Vertx vertx;
    private final Store store;
    private final KeyRing keys;

    SecretOperations(Vertx vertx, Store store, KeyRing keys) {
        this.vertx = vertx;
        this.store = store;
        this.keys = keys;
    }

    /** Adds the handlers by operation id. */
    void addTo(Map<String, OperationHandler> handlers) {
        handlers.put("reencryptSecrets", this::reencrypt);
    }

    private Answer reencrypt(ApiCall call) {
        Database database = store.database();
        long rows = store.sealedRows().renew();
        boolean authority = database.await(ClusterAuthority.renewKey(vertx, database.pool(), keys));
        database.transaction(connection -> {
            store.audit().append(connection, AuditEntry.done(call.write(), 200, null, List.of()));
            return true;
        });
        return Answer.ok(new SecretsReencryption(rows + (authority ? 1 : 0)));
    }
}
