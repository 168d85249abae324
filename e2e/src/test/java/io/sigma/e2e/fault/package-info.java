/**
 * Faults and shortages for tests of processes: links, name servers, disks and clocks. Start at {@link
 * io.sigma.e2e.fault.Relay}.
 */
@NullMarked
package io.sigma.e2e.fault;

import org.jspecify.annotations.NullMarked;
