/** A gateway that passes datagrams, for a comparison with others. Start at {@link io.sigma.bench.udp.UdpGateway}. */
@NullMarked
package io.sigma.bench.udp;

import org.jspecify.annotations.NullMarked;
