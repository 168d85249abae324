package io.sigma.dataplane.engine.http2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Stream;
import io.sigma.dataplane.engine.body.HeldBytes;
import io.sigma.dataplane.engine.body.RequestBody;
import io.sigma.dataplane.exchange.Fields;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request on its way in. Data that arrive while nobody reads wait here. The client gets no WINDOW_UPDATE
 * for them, so the window of the stream bounds them. Confined to the event loop.
 */
final class StreamBody {

    private final Http2Link link;
    private final Http2Stream stream;
    private final UploadWindows.Window window;
    private final RequestBody body;
    private @Nullable HeldBytes waiting;
    private @Nullable Fields trailers;
    private boolean endWaits;
    private boolean paused;
    private boolean passing;
    private boolean closed;

    StreamBody(Http2Link link, Http2Stream stream, RequestBody body) {
        this.link = link;
        this.stream = stream;
        this.window = new UploadWindows.Window(stream);
        this.body = body;
    }

    UploadWindows.Window window() {
        return window;
    }

    /** Takes a frame; returns how much of it is read already. */
    int onData(ByteBuf data, boolean end) {
        int length = data.readableBytes();
        if (isHeld()) {
            hold(data);
            endWaits |= end;
            return 0;
        }
        if (length > 0) {
            body.onData(data.retain());
            if (!end) {
                link.windows().taken(window, length);
            }
        }
        if (end) {
            onEnd(null);
        }
        return length;
    }

    private boolean isHeld() {
        return paused || passing || (waiting != null && !waiting.isEmpty());
    }

    private void hold(ByteBuf data) {
        if (data.isReadable()) {
            waiting = HeldBytes.orNew(waiting);
            waiting.add(data.retain());
        }
    }

    /**
     * The body is complete.
     *
     * @param fields trailers, null for none
     */
    void onEnd(@Nullable Fields fields) {
        trailers = fields;
        if (isHeld()) {
            endWaits = true;
        } else if (!body.isEnded()) {
            body.onEnd(fields == null || fields.size() == 0 ? null : fields);
        }
    }

    void pause() {
        paused = true;
    }

    void resume() {
        paused = false;
        if (!passing && !closed) {
            pass();
        }
    }

    private void pass() {
        int bytes = 0;
        passing = true;
        try {
            ByteBuf data = next();
            while (data != null) {
                bytes += data.readableBytes();
                body.onData(data);
                data = next();
            }
        } finally {
            // Else all that follows would be held for ever.
            passing = false;
        }
        if (bytes > 0 && !closed) {
            link.consumed(stream, bytes);
            if (!endWaits) {
                link.windows().taken(window, bytes);
            }
        }
        if (endWaits && !isHeld()) {
            endWaits = false;
            onEnd(trailers);
        }
    }

    private @Nullable ByteBuf next() {
        return paused || waiting == null ? null : waiting.poll();
    }

    /** Lets go of what waits: the stream is closed. */
    void close() {
        closed = true;
        link.windows().close(window);
        if (waiting != null) {
            waiting.clear();
        }
    }

    /** Returns how much memory is held for it, in bytes. */
    long cost() {
        return waiting == null ? 0 : waiting.cost();
    }
}
