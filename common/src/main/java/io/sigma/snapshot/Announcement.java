package io.sigma.snapshot;

/**
 * The newest revision that a control plane knows.
 *
 * @param stateHash 64 hexadecimal digits
 * @param controlPlaneId the sender
 */
public record Announcement(long revision, String stateHash, String controlPlaneId) {}
