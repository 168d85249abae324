package io.sigma.dataplane.filter.content;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.filter.HeaderEditor;
import io.sigma.dataplane.filter.Replies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers with files: conditions (RFC 9110 §13), one range of bytes (§14), folders. Thread-safe. */
public final class FileServer {

    private static final byte[] NO_BODY = new byte[0];

    private final StaticFiles files;
    private final @Nullable String cacheControl;
    private final HeaderEditor edits;

    /**
     * @param cacheControl value of that field in every answer with a file; null for none
     * @param edits of the fields of such an answer
     */
    public FileServer(StaticFiles files, @Nullable String cacheControl, HeaderEditor edits) {
        this.files = files;
        this.cacheControl = cacheControl;
        this.edits = edits;
    }

    /**
     * Answers a GET or HEAD.
     *
     * @param below percent-encoded path in normal form with a leading slash, or empty
     */
    public void serve(Exchange exchange, String below, Replies replies) {
        Lookup lookup = new Lookup();
        replies.offLoop(() -> lookup.found = files.find(below), () -> answer(exchange, replies, below, lookup.found));
    }

    /** Carries the result from the worker to the loop; the hand-over between the two orders the accesses. */
    private static final class Lookup {
        private @Nullable StaticFile found;
    }

    private void answer(Exchange exchange, Replies replies, String below, @Nullable StaticFile file) {
        if (file == null) {
            replies.fail(ErrorKind.NO_ROUTE);
        } else if (file.folder() || isFolderByItsPrefix(exchange, below)) {
            toFolder(exchange, replies);
        } else {
            switch (file.conditions(exchange.request().fields())) {
                case FAILED -> replies.fail(ErrorKind.PRECONDITION, Map.of("etag", file.entityTag()));
                case NOT_MODIFIED -> {
                    ResponseHead head = head(exchange, 304, file);
                    edits.apply(head.fields());
                    replies.answer(head, NO_BODY);
                }
                case HOLD -> send(exchange, replies, file);
            }
        }
    }

    /**
     * Returns whether a prefix was taken off and nothing was left, as of {@code /site} by {@code /site}: links of the
     * index would lead out of it.
     */
    private static boolean isFolderByItsPrefix(Exchange exchange, String below) {
        String asked = exchange.request().path();
        return (below.isEmpty() || below.equals("/"))
                && !asked.endsWith("/")
                && exchange.path().equals(asked);
    }

    private static void toFolder(Exchange exchange, Replies replies) {
        RequestHead request = exchange.request();
        ResponseHead redirect = exchange.downstream().head(308);
        String query = request.query() == null ? "" : "?" + request.query();
        redirect.fields().set("location", request.path() + "/" + query);
        replies.answer(redirect, NO_BODY);
    }

    private void send(Exchange exchange, Replies replies, StaticFile file) {
        // A range is defined for GET alone (RFC 9110 §14.2).
        boolean get = exchange.request().method().equals("GET");
        ByteRange range = get ? file.range(exchange.request().fields()) : null;
        if (range != null && range.isEmpty()) {
            ResponseHead head = exchange.downstream().head(416);
            head.fields().set("content-range", "bytes */" + file.length());
            replies.answer(head, NO_BODY);
            return;
        }
        ResponseHead head = head(exchange, range == null ? 200 : 206, file);
        head.fields().set("content-type", file.contentType());
        if (range == null) {
            edits.apply(head.fields());
            replies.answerFile(head, file.file(), 0, file.length());
        } else {
            long last = range.first() + range.length() - 1;
            head.fields().set("content-range", "bytes " + range.first() + "-" + last + "/" + file.length());
            edits.apply(head.fields());
            replies.answerFile(head, file.file(), range.first(), range.length());
        }
    }

    private ResponseHead head(Exchange exchange, int status, StaticFile file) {
        ResponseHead head = exchange.downstream().head(status);
        head.fields().set("etag", file.entityTag());
        head.fields().set("last-modified", file.lastModified());
        head.fields().set("accept-ranges", "bytes");
        if (cacheControl != null) {
            head.fields().set("cache-control", cacheControl);
        }
        return head;
    }
}
