package io.sigma.controlplane.api.request;

import io.sigma.controlplane.api.contract.ApiNames;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The media types that the API speaks. Pure. */
public final class BodyTypes {

    static final String JSON = "application/json";
    static final String YAML = "application/yaml";

    private static final String MERGE_PATCH = "application/merge-patch+json";

    /** Operations whose bodies may be YAML. */
    private static final Set<String> YAML_OPERATIONS = Set.of(ApiNames.PUT_CONFIG);

    /** RFC 9512, and what was usual before it. */
    private static final Set<String> YAML_NAMES =
            Set.of(YAML, "application/x-yaml", "text/yaml", "text/x-yaml", "text/vnd.yaml");

    /** UTF-8, and its part. */
    private static final Set<String> UTF_8 = Set.of("utf-8", "utf8", "us-ascii");

    private BodyTypes() {}

    /** Returns whether a media type is one of the names of YAML; parameters do not matter. */
    public static boolean isYaml(@Nullable String contentType) {
        return contentType != null && YAML_NAMES.contains(bare(contentType));
    }

    /**
     * Returns normally when an operation takes bodies of the type and the coding that {@code headers} name.
     *
     * @throws FailureException with {@link Failure.UnsupportedMediaType}
     */
    public static void require(String operationId, MultiMap headers) {
        String coding = headers.get(HttpHeaders.CONTENT_ENCODING);
        if (coding != null && !coding.equalsIgnoreCase("identity")) {
            throw new FailureException(
                    new Failure.UnsupportedMediaType("Content-Encoding: " + coding + " (expected: none)"));
        }
        String contentType = headers.get(HttpHeaders.CONTENT_TYPE);
        String type = contentType == null ? "absent" : bare(contentType);
        boolean patch = operationId.startsWith("patch");
        boolean yaml = YAML_OPERATIONS.contains(operationId);
        boolean known = type.equals(JSON) || (patch && type.equals(MERGE_PATCH)) || (yaml && isYaml(type));
        if (known && contentType != null && isUtf8(contentType)) {
            return;
        }
        String expected = known
                ? "charset=utf-8, or no charset"
                : JSON + (patch ? " or " + MERGE_PATCH : "") + (yaml ? " or " + YAML : "");
        throw new FailureException(new Failure.UnsupportedMediaType(
                "Content-Type: " + (contentType == null ? "absent" : contentType) + " (expected: " + expected + ")"));
    }

    /** JSON has one encoding (RFC 8259 §8.1). A body that names another one would be read as different characters. */
    private static boolean isUtf8(String contentType) {
        for (String parameter : contentType.split(";", -1)) {
            String text = parameter.strip().toLowerCase(Locale.ROOT);
            if (text.startsWith("charset=")) {
                return UTF_8.contains(text.substring("charset=".length()).replace("\"", ""));
            }
        }
        return true;
    }

    private static String bare(String mediaType) {
        return mediaType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    /** Returns whether {@code accept} names YAML, with a larger weight than JSON or before it (RFC 9110 §12.5.1). */
    static boolean prefersYaml(@Nullable String accept) {
        double yaml = 0;
        double json = 0;
        boolean first = false;
        for (String range : (accept == null ? "" : accept).split(",", -1)) {
            if (isYaml(range)) {
                first |= json == 0;
                yaml = Math.max(yaml, weight(range));
            } else if (bare(range).equals(JSON)) {
                json = Math.max(json, weight(range));
            }
        }
        return yaml > 0 && (first ? yaml >= json : yaml > json);
    }

    private static double weight(String range) {
        for (String parameter : range.split(";", -1)) {
            String text = parameter.strip();
            if (text.matches("[qQ]=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)")) {
                return Double.parseDouble(text.substring(2));
            }
        }
        return 1;
    }
}
