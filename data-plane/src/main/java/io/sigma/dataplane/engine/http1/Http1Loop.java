package io.sigma.dataplane.engine.http1;

import io.netty.channel.EventLoop;

/**
 * The state that the HTTP/1.1 connections of one event loop share. {@code HttpLoop} keeps it for clients and {@code
 * NodeDialer} for nodes. Confined to it.
 */
public final class Http1Loop {

    private final EventLoop loop;
    private final LoopFlusher flusher;
    private final Texts texts = new Texts();
    private final HeadBuffer head = new HeadBuffer();
    private final SendBuffers buffers = new SendBuffers();

    public Http1Loop(EventLoop loop) {
        this.loop = loop;
        this.flusher = new LoopFlusher(loop);
        loop.terminationFuture().addListener(ended -> buffers.close());
    }

    /** Returns the event loop. */
    public EventLoop eventLoop() {
        return loop;
    }

    public LoopFlusher flusher() {
        return flusher;
    }

    Texts texts() {
        return texts;
    }

    HeadBuffer head() {
        return head;
    }

    SendBuffers buffers() {
        return buffers;
    }
}
