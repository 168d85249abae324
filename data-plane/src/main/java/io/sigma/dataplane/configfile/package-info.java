/**
 * A gateway without a control plane: it serves a file in the sigma.json format and follows its changes. Start at
 * {@link io.sigma.dataplane.configfile.ConfigFile}. Runs on a thread of its own.
 */
@NullMarked
package io.sigma.dataplane.configfile;

import org.jspecify.annotations.NullMarked;
