package io.sigma.controlplane.api.contract;

/**
 * Names that several packages of the API use: operations of the contract, and the keys under which a request carries
 * what is known about it.
 */
public final class ApiNames {

    /** The path that all operations are below. */
    public static final String BASE_PATH = "/api/v1";

    public static final String BATCH = "batch";
    public static final String TEST_ROUTE = "testRoute";
    public static final String PUT_CONFIG = "putConfig";
    public static final String IMPORT_OPENAPI = "importOpenApi";

    /** The operation of a request, {@link io.vertx.openapi.contract.Operation}; absent when its path has none. */
    public static final String OPERATION = "operation";

    /** The author of a request, a {@link io.sigma.controlplane.access.Principal}; absent before authentication. */
    public static final String PRINCIPAL = "principal";

    private ApiNames() {}
}
