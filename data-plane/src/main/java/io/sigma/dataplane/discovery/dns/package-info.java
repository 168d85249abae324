/**
 * Nodes from DNS: addresses, or services with priorities and weights. Start at
 * {@link io.sigma.dataplane.discovery.dns.DnsDiscovery}. On a thread of its own.
 */
@NullMarked
package io.sigma.dataplane.discovery.dns;

import org.jspecify.annotations.NullMarked;
