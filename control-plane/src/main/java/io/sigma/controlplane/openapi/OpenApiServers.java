package io.sigma.controlplane.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.model.FieldError;
import io.sigma.value.InvalidValue;
import io.sigma.value.NodeUrl;
import io.sigma.value.NormalPath;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The servers of a document.
 *
 * @param nodes URLs without a path
 * @param base path of all operations, without a slash at its end; empty when there is none
 */
public record OpenApiServers(List<String> nodes, String base) {

    /** Linear; the text is no user's expression. */
    private static final Pattern VARIABLE = Pattern.compile("\\{([^{}]*)}");

    private static final Pattern URL = Pattern.compile("(https?://[^/?#]+)?(/[^?#]*)?", Pattern.CASE_INSENSITIVE);

    private static final int URL_MAX = 2048;

    public OpenApiServers {
        nodes = List.copyOf(nodes);
    }

    /**
     * Reads the servers.
     *
     * @param given nodes to take instead of the hosts in the document; none for those
     * @throws FailureException when there is no node
     */
    static OpenApiServers read(OpenApiDocument document, List<String> given, List<FieldError> warnings) {
        List<String> nodes = new ArrayList<>();
        String base = null;
        JsonNode servers = document.root().path("servers");
        for (int i = 0; i < servers.size(); i++) {
            String pointer = "/servers/" + i + "/url";
            String url = substituted(servers.get(i), pointer, warnings);
            Matcher matcher = URL.matcher(url);
            if (!matcher.matches()) {
                warnings.add(new FieldError(
                        pointer, "\"" + url + "\" is left out (expected: an http or https URL, or a path)"));
                continue;
            }
            String path = path(matcher.group(2), pointer, warnings);
            base = base == null ? path : base;
            if (!base.equals(path)) {
                warnings.add(new FieldError(
                        pointer,
                        "\"" + url + "\" is left out: its path is not \"" + base + "\", that of the server before"));
            } else if (matcher.group(1) != null) {
                add(nodes, matcher.group(1), pointer, warnings);
            }
        }
        List<String> all = given.isEmpty() ? nodes.stream().distinct().toList() : given;
        if (all.isEmpty()) {
            throw FailureException.invalid(
                    "/nodes", "absent (expected: the URLs of nodes, as no server of the document has a host)");
        }
        return new OpenApiServers(all, base == null ? "" : base);
    }

    private static void add(List<String> nodes, String origin, String pointer, List<FieldError> warnings) {
        try {
            NodeUrl.parse(origin);
            nodes.add(origin);
        } catch (InvalidValue e) {
            warnings.add(new FieldError(pointer, "left out: " + e.getMessage()));
        }
    }

    private static String path(String path, String pointer, List<FieldError> warnings) {
        if (path == null) {
            return "";
        }
        try {
            String normal = NormalPath.of(path);
            int end = normal.length();
            while (end > 0 && normal.charAt(end - 1) == '/') {
                end--;
            }
            return normal.substring(0, end);
        } catch (InvalidValue e) {
            warnings.add(new FieldError(pointer, "its path is left out: " + e.getMessage()));
            return "";
        }
    }

    private static String substituted(JsonNode server, String pointer, List<FieldError> warnings) {
        String url = server.path("url").asText("");
        Matcher matcher = VARIABLE.matcher(url.substring(0, Math.min(url.length(), URL_MAX)));
        return matcher.replaceAll(found -> {
            JsonNode variable = server.path("variables").path(found.group(1));
            String value = variable.path("default").asText("");
            warnings.add(new FieldError(
                    pointer,
                    "{" + found.group(1) + "} is taken to be \"" + value + "\", its default" + others(variable)));
            return Matcher.quoteReplacement(value);
        });
    }

    private static String others(JsonNode variable) {
        return variable.path("enum").size() > 1
                ? "; the document knows " + variable.path("enum").size() + " values"
                : "";
    }
}
