/**
 * Parts of an installation that tests start: control planes without an API and gateways without traffic, on a real
 * PostgreSQL. Start at {@link io.sigma.inprocess.testkit.Installation}.
 */
@NullMarked
package io.sigma.inprocess.testkit;

import org.jspecify.annotations.NullMarked;
