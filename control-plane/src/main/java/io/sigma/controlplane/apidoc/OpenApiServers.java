package io.sigma.controlplane.apidoc;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.value.InvalidValue;
import io.sigma.value.Mismatch;
import io.sigma.value.NodeUrl;
import io.sigma.value.NormalPath;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the operations of a document are. Servers of a document are alternatives, such as production and a sandbox, and
 * no replicas: one of them is taken.
 *
 * @param nodes URLs without a path
 * @param base path of all operations, without a slash at its end; empty when there is none
 */
public record OpenApiServers(List<String> nodes, String base) {

    /** Linear; the text is no user's expression. */
    private static final Pattern VARIABLE = Pattern.compile("\\{([^{}]*)}");

    private static final Pattern URL = Pattern.compile("(https?://[^/?#]+)?(/[^?#]*)?", Pattern.CASE_INSENSITIVE);

    private static final int URL_MAX = 2048;

    private static final Mismatch TOO_LONG =
            Mismatch.of("", "at most " + URL_MAX + " characters, with the defaults of variables");

    public OpenApiServers {
        nodes = List.copyOf(nodes);
    }

    /**
     * Reads the servers.
     *
     * @throws FailureException when there is no node
     */
    static OpenApiServers read(OpenApiDocument document, OpenApiOptions options, Warnings warnings) {
        JsonNode servers = document.root().path("servers");
        if (!servers.isArray() && !servers.isMissingNode()) {
            throw FailureException.invalid("/document/servers", Mismatch.of("not a list", "a list of servers"));
        }
        int chosen = chosen(servers, options, warnings);
        OpenApiServers taken = chosen < 0 ? null : server(servers.get(chosen), pointer(chosen), warnings);
        for (int i = 0; i < servers.size(); i++) {
            if (chosen >= 0 && i > chosen) {
                warnings.add(
                        pointer(i),
                        said(servers.get(i)) + " is left out: server " + chosen + " of the document is taken"
                                + " (choose another one by server, or give nodes)");
            }
        }
        String base = taken == null ? "" : taken.base();
        List<String> nodes = !options.nodes().isEmpty() || taken == null ? options.nodes() : taken.nodes();
        if (nodes.isEmpty()) {
            throw FailureException.invalid(
                    "/nodes",
                    Mismatch.absent(
                            "the URLs of nodes" + (servers.isEmpty() ? "" : ", or another server") + ", because "
                                    + (chosen < 0
                                            ? "no server of the document has a host"
                                            : "server " + chosen + " of the document has no host")));
        }
        return new OpenApiServers(nodes, base);
    }

    /** Returns the index of the server that is taken; negative when there is none. Notes those before it. */
    private static int chosen(JsonNode servers, OpenApiOptions options, Warnings warnings) {
        Integer wanted = options.server();
        if (wanted != null && wanted >= servers.size()) {
            throw FailureException.invalid(
                    "/server", Mismatch.of(wanted, "less than " + servers.size() + ", the number of servers"));
        }
        for (int i = 0; i < servers.size(); i++) {
            boolean before = wanted != null && i < wanted;
            Mismatch refusal = before ? null : refusal(servers.get(i));
            if (!before && refusal == null) {
                return i;
            }
            if (wanted != null && refusal != null) {
                String given = said(servers.get(i)) + (refusal.given().isEmpty() ? "" : " " + refusal.given());
                throw FailureException.invalid("/server", Mismatch.of(wanted + ": " + given, refusal.expected()));
            }
            String why = before ? "server " + wanted + " is asked for" : String.valueOf(refusal);
            warnings.add(pointer(i), said(servers.get(i)) + " is left out: " + why);
        }
        return -1;
    }

    private static String pointer(int index) {
        return "/servers/" + index + "/url";
    }

    private static String said(JsonNode server) {
        return "\"" + Warnings.cut(server.path("url").asText(""), URL_MAX) + "\"";
    }

    /** Returns why no gateway could send anything there; null when it could. */
    private static @Nullable Mismatch refusal(JsonNode server) {
        String url = server.path("url").asText("");
        if (url.length() > URL_MAX) {
            return TOO_LONG;
        }
        Matcher variables = VARIABLE.matcher(url);
        while (variables.find()) {
            if (!server.path("variables").path(variables.group(1)).has("default")) {
                return Mismatch.of("{" + variables.group(1) + "}", "a variable with a default");
            }
        }
        String substituted = substituted(server);
        if (substituted.length() > URL_MAX) {
            return TOO_LONG;
        }
        Matcher matcher = URL.matcher(substituted);
        if (!matcher.matches()) {
            return Mismatch.of("", "an http or https URL, or a path that begins with /");
        }
        try {
            if (matcher.group(1) != null) {
                NodeUrl.parse(matcher.group(1));
            }
            if (matcher.group(2) != null) {
                NormalPath.of(matcher.group(2));
            }
            return null;
        } catch (InvalidValue e) {
            return e.mismatch();
        }
    }

    private static OpenApiServers server(JsonNode server, String pointer, Warnings warnings) {
        Matcher variables = VARIABLE.matcher(server.path("url").asText(""));
        while (variables.find()) {
            JsonNode variable = server.path("variables").path(variables.group(1));
            warnings.add(
                    pointer,
                    variables.group() + " is taken to be \""
                            + variable.path("default").asText("") + "\", its default" + others(variable));
        }
        Matcher matcher = URL.matcher(substituted(server));
        String path = matcher.matches() && matcher.group(2) != null ? NormalPath.of(matcher.group(2)) : "";
        return new OpenApiServers(
                matcher.group(1) == null ? List.of() : List.of(matcher.group(1)), withoutSlashes(path));
    }

    private static String withoutSlashes(String path) {
        int end = path.length();
        while (end > 0 && path.charAt(end - 1) == '/') {
            end--;
        }
        return path.substring(0, end);
    }

    /**
     * Returns the URL with the defaults of its variables; of one that gets longer than {@link #URL_MAX} only the
     * beginning, which is longer too.
     */
    private static String substituted(JsonNode server) {
        String url = server.path("url").asText("");
        Matcher variables = VARIABLE.matcher(url);
        StringBuilder substituted = new StringBuilder();
        int end = 0;
        while (substituted.length() <= URL_MAX && variables.find()) {
            String value = server.path("variables")
                    .path(variables.group(1))
                    .path("default")
                    .asText("");
            substituted.append(url, end, variables.start()).append(Warnings.cut(value, URL_MAX + 1));
            end = variables.end();
        }
        return substituted.append(url, end, url.length()).toString();
    }

    private static String others(JsonNode variable) {
        return variable.path("enum").size() > 1
                ? "; the document knows " + variable.path("enum").size() + " values"
                : "";
    }
}
