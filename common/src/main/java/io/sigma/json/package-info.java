/**
 * JSON for both planes: one strict mapper, canonical form, pointers. Start at {@link io.sigma.json.Json}. Any thread.
 */
@NullMarked
package io.sigma.json;

import org.jspecify.annotations.NullMarked;
