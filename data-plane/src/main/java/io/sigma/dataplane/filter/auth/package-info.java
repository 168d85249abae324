/**
 * Filters that decide who may send a request. Start at {@link io.sigma.dataplane.filter.auth.Authentication}. Called on
 * the event loop of the exchange; keys of tokens are fetched on a thread of their own.
 */
@NullMarked
package io.sigma.dataplane.filter.auth;

import org.jspecify.annotations.NullMarked;
