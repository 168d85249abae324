/**
 * Who is who between the planes: identities in certificates, which of them to trust, and the messages with which a
 * gateway gets its certificate. Start at {@link io.sigma.cluster.PeerIdentity} and, for enrolment, at
 * {@link io.sigma.cluster.EnrolProof}. Immutable; any thread.
 */
@NullMarked
package io.sigma.cluster;

import org.jspecify.annotations.NullMarked;
