/**
 * The rules of HTTP and gRPC about single fields: dates, cookies, Via, preconditions, logins of connections, calls of
 * gRPC. Start at {@link io.sigma.dataplane.exchange.rule.Preconditions}. Called on the event loop of the exchange.
 */
@NullMarked
package io.sigma.dataplane.exchange.rule;

import org.jspecify.annotations.NullMarked;
