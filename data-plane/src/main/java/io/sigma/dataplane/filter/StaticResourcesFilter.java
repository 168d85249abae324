package io.sigma.dataplane.filter;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.model.StaticResourcesPlugin;
import io.sigma.value.PathPattern;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Answers GET and HEAD from files below a folder. A file that is not below it once symbolic links are resolved does not
 * exist.
 */
final class StaticResourcesFilter implements Filter {

    private static final byte[] NO_BODY = new byte[0];

    private final StaticFiles files;
    private final PathPattern pattern;

    StaticResourcesFilter(StaticResourcesPlugin plugin) {
        this.files = new StaticFiles(Path.of(plugin.rootPath()));
        this.pattern = PathPattern.parse(plugin.urlPattern());
    }

    @Override
    public Verdict onRequest(Exchange exchange, Replies replies) {
        RequestHead request = exchange.request();
        String below = below(request.path());
        boolean reads = request.method().equals("GET") || request.method().equals("HEAD");
        if (below == null || !reads) {
            return Verdict.CONTINUE;
        }
        Lookup lookup = new Lookup();
        replies.offLoop(() -> lookup.found = files.find(below), () -> answer(exchange, replies, lookup.found));
        return Verdict.TAKEN;
    }

    /** Carries the result from the worker to the loop; the hand-over between the two orders the accesses. */
    private static final class Lookup {
        private @Nullable StaticFile found;
    }

    /** Returns the path below the folder, with a leading slash; null when the pattern does not match. */
    private @Nullable String below(String path) {
        return switch (pattern) {
            case PathPattern.Exact(String exact) -> path.equals(exact) ? path.substring(path.lastIndexOf('/')) : null;
            case PathPattern.Prefix(String prefix) -> {
                boolean matches = path.startsWith(prefix)
                        && (path.length() == prefix.length() || path.charAt(prefix.length()) == '/');
                yield matches ? path.substring(prefix.length()) : null;
            }
            default -> null;
        };
    }

    private static void answer(Exchange exchange, Replies replies, @Nullable StaticFile file) {
        if (file == null) {
            replies.fail(ErrorKind.NO_ROUTE);
            return;
        }
        RequestHead request = exchange.request();
        if (file.folder()) {
            ResponseHead redirect = exchange.downstream().head(308);
            String query = request.query() == null ? "" : "?" + request.query();
            redirect.fields().set("location", request.path() + "/" + query);
            replies.answer(redirect, NO_BODY);
            return;
        }
        boolean fresh = file.isFresh(request.fields());
        ResponseHead head = exchange.downstream().head(fresh ? 304 : 200);
        head.fields().set("etag", file.entityTag());
        head.fields().set("last-modified", file.lastModified());
        if (fresh) {
            replies.answer(head, NO_BODY);
            return;
        }
        head.fields().set("content-type", file.contentType());
        replies.answerFile(head, file.path(), file.length());
    }
}
