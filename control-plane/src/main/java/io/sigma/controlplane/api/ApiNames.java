package io.sigma.controlplane.api;

/**
 * Names that several packages of the API use: operations of the contract, and the keys under which a request carries
 * what is known about it.
 */
final class ApiNames {

    /** The path that all operations are below. */
    static final String BASE_PATH = "/api/v1";

    static final String BATCH = "batch";
    static final String TEST_ROUTE = "testRoute";
    static final String PUT_CONFIG = "putConfig";
    static final String IMPORT_OPENAPI = "importOpenApi";

    /** The operation of a request, {@link io.vertx.openapi.contract.Operation}; absent when its path has none. */
    static final String OPERATION = "operation";

    /** Who sends a request, {@link io.sigma.controlplane.access.Principal}; absent before that is known. */
    static final String PRINCIPAL = "principal";

    private ApiNames() {}
}
