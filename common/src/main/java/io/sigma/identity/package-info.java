/**
 * The identities of control planes and gateways: their certificates, which of them to trust, and the messages with
 * which a gateway gets its certificate. Start at {@link io.sigma.identity.PeerIdentity} and, for enrolment, at {@link
 * io.sigma.identity.EnrolProof}. Immutable; any thread.
 */
@NullMarked
package io.sigma.identity;

import org.jspecify.annotations.NullMarked;
