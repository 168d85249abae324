package io.sigma.controlplane.search;

import java.util.List;

/**
 * A page of a list.
 *
 * @param total how many items the whole list has
 */
public record SortedIds(List<String> ids, int total) {

    public SortedIds {
        ids = List.copyOf(ids);
    }
}
