package io.sigma.dataplane.engine.http2;

import io.netty.handler.codec.EmptyHeaders;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** A block of fields as the codec of Netty sees one; what the codec never asks of either kind is not there. */
abstract class BlockHead extends EmptyHeaders<CharSequence, CharSequence, Http2Headers> implements Http2Headers {

    private static UnsupportedOperationException unasked() {
        return new UnsupportedOperationException("the codec does not ask for it");
    }

    @Override
    public @Nullable CharSequence method() {
        return null;
    }

    @Override
    public @Nullable CharSequence scheme() {
        return null;
    }

    @Override
    public @Nullable CharSequence authority() {
        return null;
    }

    @Override
    public @Nullable CharSequence path() {
        return null;
    }

    @Override
    public @Nullable CharSequence status() {
        return null;
    }

    @Override
    public Http2Headers method(CharSequence value) {
        throw unasked();
    }

    @Override
    public Http2Headers scheme(CharSequence value) {
        throw unasked();
    }

    @Override
    public Http2Headers authority(CharSequence value) {
        throw unasked();
    }

    @Override
    public Http2Headers path(CharSequence value) {
        throw unasked();
    }

    @Override
    public Http2Headers status(CharSequence value) {
        throw unasked();
    }

    @Override
    public Iterator<CharSequence> valueIterator(CharSequence name) {
        throw unasked();
    }

    @Override
    public boolean contains(CharSequence name, CharSequence value, boolean caseInsensitive) {
        throw unasked();
    }
}
