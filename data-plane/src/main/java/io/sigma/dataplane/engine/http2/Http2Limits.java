package io.sigma.dataplane.engine.http2;

/**
 * What a client may ask of one connection.
 *
 * @param streamsMax at a time
 * @param headBytesMax of the fields of one request, as RFC 9113 §6.5.2 counts
 * @param resetsMax streams that it resets, or makes the gateway reset, within {@code resetsSeconds}
 */
public record Http2Limits(long streamsMax, int headBytesMax, int resetsMax, int resetsSeconds) {}
