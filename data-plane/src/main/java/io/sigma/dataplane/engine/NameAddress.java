package io.sigma.dataplane.engine;

import java.net.InetAddress;

/**
 * The last known address of a name.
 *
 * @param ageMillis the time since the name service answered with it, in milliseconds
 * @param failing whether the name service did not answer when it was last asked
 */
public record NameAddress(String name, InetAddress address, long ageMillis, boolean failing) {}
