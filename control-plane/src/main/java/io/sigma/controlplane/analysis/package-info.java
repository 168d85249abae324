/**
 * Findings in a valid configuration: routes that never match, resources that nothing uses, certificates that expire.
 * Start at {@link io.sigma.controlplane.analysis.Analyst}, which follows the revisions on a thread of its
 * own; {@link io.sigma.controlplane.analysis.Rule} lists what is looked for. Each revision looks again only at what it
 * changed and what stands near to that.
 */
@NullMarked
package io.sigma.controlplane.analysis;

import org.jspecify.annotations.NullMarked;
