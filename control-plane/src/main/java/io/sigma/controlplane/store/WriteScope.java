package io.sigma.controlplane.store;

import io.sigma.controlplane.store.history.EntityEdit;
import io.sigma.model.Kind;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decides which entities a writer may change. Called for all entities of a write, inside the transaction. */
@FunctionalInterface
public interface WriteScope {

    /** Everything. */
    WriteScope ALL = (edits, stored, single) -> {};

    /** Reads the stored state before the write. */
    interface Stored {

        /** Returns those of {@code ids} that exist, as model records. */
        Map<String, Object> find(Kind kind, Collection<String> ids);

        /**
         * Returns a resource, such as {@code ROUTE/a}, that lacks one of {@code labels} and whose acl plugin names the
         * consumer or one of the groups; null when there is none.
         */
        @Nullable
        String aclOfOthers(String consumer, Collection<String> groups, Map<String, String> labels);

        /**
         * Returns a proxy server that presents all certificates and lacks one of {@code labels}; null when there is
         * none.
         */
        @Nullable
        String presenterOfOthers(Map<String, String> labels);

        /** Returns a proxy server that names a certificate and lacks one of {@code labels}; null when there is none. */
        @Nullable
        String presenterOfOthers(String certificate, Map<String, String> labels);
    }

    /**
     * @param single whether the write is of one resource, whose fields pointers then are of
     * @throws io.sigma.controlplane.failure.FailureException when it may not
     */
    void check(List<EntityEdit> edits, Stored stored, boolean single);
}
