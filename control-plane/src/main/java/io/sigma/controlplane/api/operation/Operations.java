package io.sigma.controlplane.api.operation;

import io.sigma.controlplane.access.RevokedGateways;
import io.sigma.controlplane.access.WaivedGateways;
import io.sigma.controlplane.api.request.KnownAddresses;
import io.sigma.controlplane.api.request.OperationHandler;
import io.sigma.controlplane.port.FailureLimiter;
import io.sigma.controlplane.search.SearchIndex;
import io.sigma.controlplane.secret.KeyRing;
import io.sigma.controlplane.store.Store;
import io.sigma.controlplane.tail.Tenures;
import io.sigma.snapshot.ResourceType;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** All operations of the contract, except the streams. */
public final class Operations {

    /** The longest wait of a write for gateways after its commit. */
    public static final Duration ANSWERS_WAIT_MAX = Acknowledgements.TIMEOUT_MAX;

    /** The longest wait of a write for the findings of its analysis. */
    public static final Duration FINDINGS_WAIT_MAX = Acknowledgements.DRY_FINDINGS_WAIT;

    /** Logins of each address; one is forgotten in each minute. */
    private static final int LOGINS_REMEMBERED = 120;

    private static final Duration LOGINS_REMEMBERED_FOR = Duration.ofMinutes(LOGINS_REMEMBERED);

    private final Vertx vertx;
    private final Services services;
    private final KnownAddresses known;
    private final Map<String, OperationHandler> handlers = new HashMap<>();

    private Operations(Vertx vertx, Services services, KnownAddresses known) {
        this.vertx = vertx;
        this.services = services;
        this.known = known;
    }

    /**
     * Returns the handlers by operation id.
     *
     * @param known where the addresses of good passwords are noted
     */
    public static Map<String, OperationHandler> of(Vertx vertx, Services services, KnownAddresses known) {
        Operations operations = new Operations(vertx, services, known);
        operations.addConfiguration();
        operations.addFleet();
        operations.addAccess();
        return Map.copyOf(operations.handlers);
    }

    private void addConfiguration() {
        Store store = services.store();
        int batchMax = services.settings().admin().batchOperationsMax();
        Acknowledgements acknowledgements = new Acknowledgements(services.fleet(), services.analyst());
        SearchIndex search = new SearchIndex(() -> store.log().current().state());
        ResourceOperations resources =
                new ResourceOperations(services.resources(), search, store.secrets(), acknowledgements);
        ResourceType.ALL.forEach(type -> resources.addTo(handlers, type));
        new ChangeOperations(
                        services.states(),
                        store.secrets(),
                        acknowledgements,
                        services.contract().batch(),
                        batchMax)
                .addTo(handlers);
        ConfigOperations configs =
                new ConfigOperations(vertx, services.states(), store.log(), store.secrets(), acknowledgements);
        configs.addTo(handlers);
        new RevisionOperations(store, services.states(), services.fleet(), acknowledgements, configs).addTo(handlers);
        new RouteTestOperations(vertx, services.contract(), store, services.fleet(), services.states(), batchMax)
                .addTo(handlers);
        new AnalysisOperations(services.analyst(), services.fleet()).addTo(handlers);
        new SearchOperations(search).addTo(handlers);
        new ImportOperations(vertx, store, services.contract(), services.states(), acknowledgements).addTo(handlers);
    }

    private void addFleet() {
        Store store = services.store();
        Tenures tenures = services.tenures();
        new TrafficOperations(store.database(), services.fleet(), tenures).addTo(handlers);
        new RequestOperations(services.fleet(), tenures).addTo(handlers);
        new StateOperations(store, services.fleet(), services.version()).addTo(handlers);
        new ConnectionOperations(services.fleet(), store.audit(), tenures).addTo(handlers);
        new GatewayOperations(
                        services.fleet(),
                        new RevokedGateways(store.database(), store.audit()),
                        new WaivedGateways(store.database(), store.audit(), services.fleet()))
                .addTo(handlers);
    }

    private void addAccess() {
        Store store = services.store();
        int ofAddressMax = services.settings().logins().loginFailuresPerMinute();
        int ofUserMax = services.settings().logins().loginFailuresPerUserPerMinute();
        new SessionOperations(
                        services.contract(),
                        services.accounts().sessions(),
                        new FailureLimiter(ofAddressMax, System::nanoTime),
                        new FailureLimiter(ofUserMax, System::nanoTime),
                        new FailureLimiter(LOGINS_REMEMBERED, LOGINS_REMEMBERED_FOR, System::nanoTime),
                        known)
                .addTo(handlers);
        new AccountOperations(
                        services.contract(),
                        services.accounts().users(),
                        services.accounts().tokens())
                .addTo(handlers);
        new AuditOperations(store.audit()).addTo(handlers);
        new SecretOperations(vertx, store, KeyRing.of(services.settings())).addTo(handlers);
    }
}
