package io.sigma.dataplane.exchange;

import java.util.Set;

/**
 * The authenticated client.
 *
 * @param consumer id of the consumer
 * @param groups to which it belongs
 */
public record Identity(String consumer, Set<String> groups) {}
