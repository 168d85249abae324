package io.sigma.dataplane.filter.content;

import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.filter.HeaderEditor;
import io.sigma.dataplane.filter.Replies;
import io.sigma.model.StaticResourcesPlugin;
import io.sigma.value.PathPattern;
import org.jspecify.annotations.Nullable;

/**
 * Answers GET and HEAD from files below a folder. A file that is not below it once symbolic links are resolved does not
 * exist.
 */
public final class StaticResourcesFilter implements Filter {

    private final FileServer files;
    private final PathPattern pattern;

    public StaticResourcesFilter(StaticResourcesPlugin plugin, FilterServices services) {
        this.files = new FileServer(
                new StaticFiles(services.disk().folder(plugin.rootPath()), "index.html", null),
                null,
                new HeaderEditor(null));
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
        files.serve(exchange, below, replies);
        return Verdict.TAKEN;
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
}
