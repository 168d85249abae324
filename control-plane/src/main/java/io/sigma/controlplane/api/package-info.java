/**
 * The admin API and the dashboard's files over HTTP: credentials, problems, the audit of refusals. Start at
 * {@link io.sigma.controlplane.api.AdminServer}. Below it, {@code operation} and {@code event} do what a request asks
 * for, {@code request} reads and answers it, and {@code contract} says what it may be. Handlers run on the virtual
 * threads of one verticle: one at a time, except where they wait.
 */
@NullMarked
package io.sigma.controlplane.api;

import org.jspecify.annotations.NullMarked;
