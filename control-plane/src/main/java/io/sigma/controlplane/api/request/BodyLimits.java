package io.sigma.controlplane.api.request;

import io.sigma.controlplane.api.contract.ApiNames;
import io.sigma.controlplane.settings.ControlPlaneSettings;
import java.util.Set;

/** Limits the bodies of requests by operation. Pure. */
public final class BodyLimits {

    private static final String IMPORT = "importSigmaJson";
    private static final Set<String> PASSWORDS = Set.of("logIn", "changeOwnPassword");

    /** A name, and a password or two. */
    private static final int LOGIN_BYTES_MAX = 4 * 1024;

    /** Of the heap, for the bodies of requests: what is made of one takes several times its size. */
    private static final int HEAP_PART = 8;

    private BodyLimits() {}

    /** Returns how much memory all that bodies are parsed to may take at once, in bytes. */
    public static long bytesOfTrees() {
        return Runtime.getRuntime().maxMemory() / HEAP_PART;
    }

    /** Returns how many bytes of request bodies may be held at once. */
    public static long bytesOfAll(ControlPlaneSettings settings) {
        return settings.admin().adminBodiesBytesMax() > 0
                ? settings.admin().adminBodiesBytesMax()
                : Runtime.getRuntime().maxMemory() / HEAP_PART;
    }

    /** Returns how many bytes the body of one request of an operation may have. */
    public static int bytesMax(ControlPlaneSettings settings, String operationId) {
        if (PASSWORDS.contains(operationId)) {
            return LOGIN_BYTES_MAX;
        }
        return switch (operationId) {
            case IMPORT, ApiNames.IMPORT_OPENAPI -> settings.admin().importBytesMax();
            case ApiNames.BATCH, ApiNames.TEST_ROUTE -> settings.admin().batchBytesMax();
            case ApiNames.PUT_CONFIG -> settings.admin().configBytesMax();
            default -> settings.admin().adminBodyBytesMax();
        };
    }
}
