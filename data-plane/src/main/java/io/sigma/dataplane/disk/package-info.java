/**
 * Limits the configuration to some folders of the gateway's disk. An editor of the configuration does not own the
 * machine: the operator's settings name the folders, and nothing outside of this package opens a file or folder that
 * the configuration names. Start at {@link io.sigma.dataplane.disk.GatewayDisk}. Blocks; no thread of its own.
 */
@NullMarked
package io.sigma.dataplane.disk;

import org.jspecify.annotations.NullMarked;
