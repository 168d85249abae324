package io.sigma.dataplane.engine.http1;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.engine.Forward;
import io.sigma.dataplane.engine.relay.CookieFields;
import io.sigma.dataplane.engine.relay.NodeConnection;
import io.sigma.dataplane.engine.relay.NodeEvents;
import io.sigma.dataplane.engine.relay.NodeStream;
import io.sigma.dataplane.engine.tunnel.HalfClose;
import io.sigma.dataplane.engine.tunnel.Tunnel;
import io.sigma.dataplane.engine.tunnel.TunnelEnd;
import io.sigma.dataplane.engine.uring.PipedBytes;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.loop.Prefetched;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A request on a connection to a node. Confined to its event loop. */
final class NodeRequest implements NodeStream, Prefetched {

    private static final byte[] VERSION = " HTTP/1.1\r\nHost: ".getBytes(StandardCharsets.US_ASCII);
    private static final String TE = "te";
    private static final byte[] NO_CONTENT = "Content-Length: 0\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CHUNKED = "Transfer-Encoding: chunked\r\n".getBytes(StandardCharsets.US_ASCII);

    private final NodeLink link;
    private NodeEvents events;
    private boolean reused;
    private String method = "";
    private boolean chunked;
    private boolean upgrades;
    private boolean over;

    NodeRequest(NodeLink link, NodeEvents events, boolean reused) {
        this.link = link;
        this.events = events;
        this.reused = reused;
    }

    /** Makes it another request on the connection; the one before is over. */
    void again(NodeEvents nextEvents) {
        events = nextEvents;
        reused = true;
        method = "";
        chunked = false;
        upgrades = false;
        over = false;
    }

    @Override
    public int prefetch(int distance) {
        return distance == 0 ? (over ? 1 : 0) : events.prefetch(distance - 1);
    }

    NodeEvents events() {
        return events;
    }

    String method() {
        return method;
    }

    boolean upgrades() {
        return upgrades;
    }

    @Override
    public boolean isHttp2() {
        return false;
    }

    @Override
    public void send(String requestMethod, Forward forward, Fields fields, long bodyBytes) {
        method = requestMethod;
        chunked = bodyBytes < 0;
        upgrades = !forward.upgrade().isEmpty();
        if (!(fields instanceof FieldTable)) {
            CookieFields.join(fields);
        }
        // It belongs to HTTP/2, where the request may be sent again: HTTP/1.1 would have to name it in Connection as
        // well.
        String te = fields.get(TE);
        if (te != null) {
            fields.remove(TE);
        }
        HeadBuffer out = link.output()
                .head()
                .put(method)
                .put(' ')
                .put(forward.target())
                .put(VERSION)
                .put(forward.authority())
                .crlf();
        Output.writeFields(out, fields);
        if (chunked) {
            out.put(CHUNKED);
        } else if (bodyBytes == 0 && mayHaveContent(method) && !fields.contains("content-length")) {
            out.put(NO_CONTENT);
        }
        if (upgrades) {
            out.field("Connection", "Upgrade").field("Upgrade", forward.upgrade());
        }
        link.output().write(out.crlf());
        if (te != null) {
            fields.set(TE, te);
        }
    }

    /**
     * Returns whether a request without content has to say so (RFC 9110 §8.6): HTTP/2 has END_STREAM for it, and some
     * servers answer 411 without a length.
     */
    private static boolean mayHaveContent(String method) {
        return switch (method) {
            case "POST", "PUT", "PATCH" -> true;
            default -> false;
        };
    }

    @Override
    public void write(ByteBuf piece) {
        if (!piece.isReadable() || over) {
            piece.release();
        } else if (chunked) {
            link.output().writeChunk(piece);
        } else {
            link.output().write(piece);
        }
    }

    @Override
    public boolean takesPiped() {
        return !chunked && !upgrades && !over && link.pipe().isThere();
    }

    @Override
    public void write(PipedBytes piece) {
        if (over) {
            piece.release();
        } else {
            link.output().write(piece);
        }
    }

    @Override
    public boolean isFull() {
        return !link.output().isWritable();
    }

    @Override
    public long held() {
        return link.output().held();
    }

    @Override
    public long progress() {
        return link.output().waiting();
    }

    @Override
    public long undelivered() {
        return link.output().undelivered();
    }

    @Override
    public void end(@Nullable Fields trailers) {
        if (chunked) {
            link.output().writeLastChunk(trailers);
        }
    }

    @Override
    public boolean isWritten() {
        return true;
    }

    @Override
    public void pause() {
        link.read(false);
    }

    @Override
    public void resume() {
        link.read(true);
    }

    @Override
    public void pipe() {
        link.pipe().begin();
    }

    @Override
    public boolean handOver(NodeEvents next) {
        if (over) {
            return false;
        }
        events = next;
        return true;
    }

    @Override
    public void giveUp() {
        HalfClose.output(link.context().channel());
    }

    @Override
    public boolean isOpenEnded() {
        return link.isOpenEnded();
    }

    @Override
    public boolean becomeTunnel() {
        return link.becomeTunnel();
    }

    @Override
    public @Nullable NodeConnection keep() {
        over = true;
        return link.kept(this) ? link : null;
    }

    @Override
    public TunnelEnd tunnelEnd() {
        return link.raw();
    }

    @Override
    public void join(Tunnel joined) {
        link.tunnel(joined);
    }

    @Override
    public void unpipe() {
        link.pipe().end();
    }

    @Override
    public boolean isSilentOnceReleased() {
        return true;
    }

    @Override
    public boolean isReused() {
        return reused;
    }

    @Override
    public void release(boolean reusable) {
        if (!over) {
            over = true;
            link.ended(this, reusable);
        }
    }
}
