package io.sigma.format;

import java.util.Locale;
import java.util.Map;

/** Translates a pointer into a model resource to the place in the file that it came from. Pure. */
final class FilePointers {

    private static final Map<String, String> NAMES = Map.of(
            "plugins", "plugin",
            "methods", "allow-method",
            "tls", "ssl",
            "certPath", "certPath",
            "keyPath", "keyPath",
            "directives", "directive",
            "description", "desc",
            "forwardedHeaders", "allow-forward");

    private FilePointers() {}

    static String of(String place, String modelPointer) {
        String pointer =
                modelPointer.replaceFirst("^/hosts/\\d+$", "/virtual-host").replaceFirst("^(/nodes/\\d+)/url$", "$1");
        StringBuilder out = new StringBuilder(place);
        String[] segments = pointer.split("/", -1);
        for (int i = 1; i < segments.length; i++) {
            out.append('/').append(NAMES.getOrDefault(segments[i], kebab(segments[i])));
        }
        return out.toString();
    }

    private static String kebab(String camel) {
        return camel.replaceAll("([a-z])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    }
}
