/**
 * The sigma.json file format: what a gateway without a control plane runs on, and what can be imported into one. Start
 * at {@link io.sigma.format.SigmaJsonReader}. Pure; any thread.
 */
@NullMarked
package io.sigma.format;

import org.jspecify.annotations.NullMarked;
