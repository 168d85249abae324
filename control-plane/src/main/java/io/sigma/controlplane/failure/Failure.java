package io.sigma.controlplane.failure;

import io.sigma.model.FieldError;
import io.sigma.model.GatewayVote;
import io.sigma.model.Referrer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every way in which a request can fail that is not a defect. */
public sealed interface Failure {

    /** The request itself is malformed: bad JSON, a parameter that is not valid. */
    record BadRequest(String detail, List<FieldError> errors) implements Failure {

        public BadRequest {
            errors = List.copyOf(errors);
        }

        public BadRequest(String detail) {
            this(detail, List.of());
        }
    }

    /** No credentials, or not the right ones; {@code who} is the user that was tried, null when there is none. */
    record Unauthorized(String detail, @Nullable String who) implements Failure {

        public Unauthorized(String detail) {
            this(detail, null);
        }
    }

    /** The role or the scope does not suffice, or a page of another origin asks for a write. */
    record Forbidden(String detail, List<FieldError> errors) implements Failure {

        public Forbidden {
            errors = List.copyOf(errors);
        }

        public Forbidden(String detail) {
            this(detail, List.of());
        }
    }

    /** There is no such resource, or no such path. */
    record NotFound(String detail) implements Failure {}

    /** There was such a revision, which is no longer kept; the oldest one that is has the number {@code oldest}. */
    record RevisionGone(String detail, long oldest) implements Failure {}

    /** The path exists, without this method. */
    record MethodNotAllowed(String method, String allow) implements Failure {}

    /** The id is taken. */
    record IdTaken(String detail) implements Failure {}

    /** A gateway refuses nothing that could be waived. */
    record NothingToWaive(String detail) implements Failure {}

    /** Ids belong to resources of another part of the state, which are not touched. */
    record OtherLabel(List<FieldError> errors) implements Failure {

        public OtherLabel {
            errors = List.copyOf(errors);
        }
    }

    /** Operations would lose what was attached to their routes, and nobody said that they shall. */
    record NeedsForce(List<FieldError> errors) implements Failure {

        public NeedsForce {
            errors = List.copyOf(errors);
        }
    }

    /** Others refer to what should be deleted; {@code referrers} may be cut short. */
    record Referenced(String detail, List<Referrer> referrers) implements Failure {

        public Referenced {
            referrers = List.copyOf(referrers);
        }
    }

    /** A precondition does not hold; the entity's tag is {@code currentTag}, null where there is no entity. */
    record PreconditionFailed(String detail, @Nullable String currentTag) implements Failure {}

    /** The body is larger than {@code bytesMax}. */
    record TooLarge(long bytesMax) implements Failure {}

    /** The body has more values than the control plane has memory for. */
    record TooManyValues() implements Failure {}

    /** The body came more slowly than {@code bytesPerSecondMin}. */
    record TooSlow(long bytesPerSecondMin) implements Failure {}

    /** The path is longer than any path of the contract. */
    record PathTooLong(String detail) implements Failure {}

    /** The body is not JSON. */
    record UnsupportedMediaType(String detail) implements Failure {}

    /** Fields with values that have no meaning. */
    record Invalid(List<FieldError> errors) implements Failure {

        public Invalid {
            errors = List.copyOf(errors);
        }
    }

    /** Another request was made under this idempotency key. */
    record KeyReused(String detail) implements Failure {}

    /** Operations of a batch that fail, each for itself; nothing of the batch was done. */
    record OperationsFailed(List<FailedOperation> operations) implements Failure {

        public OperationsFailed {
            operations = List.copyOf(operations);
        }
    }

    /** A gateway cannot compile what the write would lead to; {@code votes} has what each said. */
    record RefusedByGateway(List<FieldError> errors, List<GatewayVote> votes) implements Failure {

        public RefusedByGateway {
            errors = List.copyOf(errors);
            votes = List.copyOf(votes);
        }
    }

    /**
     * Gateways refuse the revision before, and the write does not mend that; {@code votes} has what each said to the
     * write.
     *
     * @param text the gateway that refuses it, and the reason
     * @param errors with pointers into the whole state
     */
    record RevisionRefused(String text, long revision, List<FieldError> errors, List<GatewayVote> votes)
            implements Failure {

        public RevisionRefused {
            errors = List.copyOf(errors);
            votes = List.copyOf(votes);
        }
    }

    /** Too often; to be tried again after {@code retryAfterSeconds}. */
    record TooManyRequests(String detail, long retryAfterSeconds) implements Failure {}

    /**
     * Nothing was done; it may work later.
     *
     * @param database whether the database is the reason, so that nothing else is to be had of this control plane
     *     either
     */
    record Unavailable(String detail, boolean database) implements Failure {

        public Unavailable(String detail) {
            this(detail, false);
        }
    }

    /** A write was sent to the database and nothing is known of what became of it. */
    record OutcomeUnknown(String detail) implements Failure {}
}
