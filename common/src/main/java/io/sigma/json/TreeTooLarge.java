package io.sigma.json;

import com.fasterxml.jackson.core.JsonProcessingException;

/** A tree was not read to its end, because a {@link TreeCost} had no memory for it. */
public final class TreeTooLarge extends JsonProcessingException {

    private static final long serialVersionUID = 1L;

    TreeTooLarge() {
        super("more values than there is memory for");
    }
}
