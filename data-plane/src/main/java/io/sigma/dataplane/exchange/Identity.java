package io.sigma.dataplane.exchange;

import java.util.Set;

/**
 * The authenticated client.
 *
 * @param consumer the id of the resource
 * @param groups the groups of the consumer, by which acl decides
 */
public record Identity(String consumer, Set<String> groups) {}
