package io.sigma.dataplane.engine.tls;

import io.netty.handler.codec.ByteToMessageDecoder;
import io.sigma.dataplane.engine.body.Pieces;

/**
 * Copies together what arrives of a TLS record in small pieces. With OpenSSL, Netty keeps each piece as it is until the
 * record is complete, and with it the whole buffer that the transport read it into. Stateless.
 */
final class TlsPieces {

    static final ByteToMessageDecoder.Cumulator CUMULATOR =
            (buffers, before, piece) -> before.isReadable() && !Pieces.isWorthHolding(piece)
                    ? ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(buffers, before, piece)
                    : ByteToMessageDecoder.COMPOSITE_CUMULATOR.cumulate(buffers, before, piece);

    private TlsPieces() {}
}
