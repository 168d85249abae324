package io.sigma.cli.api;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * An answer of the admin API.
 *
 * @param tag entity tag, in its quotes, for {@code If-Match}; null when there was none
 */
public record Answered(JsonNode body, @Nullable String tag) {}
