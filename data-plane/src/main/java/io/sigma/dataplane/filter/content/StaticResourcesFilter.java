package io.sigma.dataplane.filter.content;

import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.filter.HeaderEditor;
import io.sigma.dataplane.filter.Replies;
import io.sigma.model.StaticResourcesPlugin;
import io.sigma.value.PathParameters;
import io.sigma.value.PathPattern;
import org.jspecify.annotations.Nullable;

/**
 * Answers GET and HEAD from files below a folder. A file that is not below it once symbolic links are resolved does not
 * exist.
 */
public final class StaticResourcesFilter implements Filter {

    private final FileServer files;
    private final PathPattern pattern;
    private final boolean parameters;

    public StaticResourcesFilter(StaticResourcesPlugin plugin, FilterServices services) {
        this.files = new FileServer(
                new StaticFiles(services.disk().folder(plugin.rootPath()), "index.html", null),
                null,
                new HeaderEditor(null));
        this.pattern = PathPattern.parse(plugin.urlPattern());
        this.parameters = PathParameters.has(plugin.urlPattern());
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

    /**
     * Returns the path below the folder, with a leading slash; null when the pattern does not match. Parameters of
     * segments take part as they do for routes: only where the pattern has one itself.
     */
    private @Nullable String below(String path) {
        String compared = parameters ? path : PathParameters.without(path, true);
        return switch (pattern) {
            case PathPattern.Exact(String exact) ->
                compared.equals(exact) ? exact.substring(exact.lastIndexOf('/')) : null;
            case PathPattern.Prefix(String prefix) -> {
                boolean matches = compared.startsWith(prefix)
                        && (compared.length() == prefix.length() || compared.charAt(prefix.length()) == '/');
                yield matches ? rest(prefix, path, compared) : null;
            }
            default -> null;
        };
    }

    /** The name of a file may have a semicolon. */
    private static String rest(String prefix, String path, String compared) {
        int end = prefix.isEmpty() ? 0 : PathParameters.endOf(prefix, path);
        return end < 0 ? compared.substring(prefix.length()) : path.substring(end);
    }
}
