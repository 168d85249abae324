package io.sigma.controlplane.failure;

import io.sigma.model.FieldError;
import io.sigma.model.Kind;
import java.util.List;

/**
 * Why one operation of a batch fails.
 *
 * @param index of the operation, from 0
 * @param failure as it would be of the same request by itself
 * @param errors the same with pointers into the batch
 */
public record FailedOperation(int index, Kind kind, String id, Failure failure, List<FieldError> errors) {

    public FailedOperation {
        errors = List.copyOf(errors);
    }
}
