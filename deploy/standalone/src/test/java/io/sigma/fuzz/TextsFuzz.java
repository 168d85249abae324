package io.sigma.fuzz;

import io.sigma.value.AddressRange;
import io.sigma.value.HostPattern;
import io.sigma.value.InvalidValue;
import io.sigma.value.LocationTemplate;
import io.sigma.value.LogTemplate;
import io.sigma.value.MediaRange;
import io.sigma.value.NodeUrl;
import io.sigma.value.NormalPath;
import io.sigma.value.PathRewrite;
import io.sigma.value.Re2;
import java.nio.charset.StandardCharsets;

/** Texts of the configuration, the first octet saying which: read, printed and read again they are the same. */
public final class TextsFuzz {

    private static final String PATH = "/shop/items/1a?b=%41 ü";

    private TextsFuzz() {}

    /** Tries {@code data}; called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length < 2) {
            return;
        }
        String text = new String(data, 1, data.length - 1, StandardCharsets.UTF_8);
        try {
            one(data[0], text);
        } catch (InvalidValue e) {
            // The declared answer to invalid input; any other exception is a finding.
        }
    }

    private static void one(byte which, String text) {
        switch (which) {
            case 'r' -> {
                var expression = Re2.compile(text);
                expression.matcher(PATH).find();
                PathRewrite.parse(expression, "/$0/x").apply("/shop");
            }
            case 'l' -> LogTemplate.parse(text);
            case 'o' -> LocationTemplate.parse(text).expand(variable -> "/a");
            case 'h' -> {
                HostPattern host = HostPattern.parse(text);
                same(host, HostPattern.parse(host.toString()));
            }
            case 'n' -> {
                NodeUrl node = NodeUrl.parse(text);
                same(node, NodeUrl.parse(node.text()));
            }
            case 'a' -> {
                AddressRange range = AddressRange.parse(text);
                same(true, range.contains(range.network()));
            }
            case 'm' -> {
                MediaRange range = MediaRange.parse(text);
                same(true, range.overlaps(range));
            }
            case 'p' -> {
                String path = NormalPath.of("/" + text, true);
                if (path != null) {
                    same(path, NormalPath.of(path, true));
                }
            }
            default -> {}
        }
    }

    private static void same(Object expected, Object actual) {
        if (!expected.equals(actual)) {
            throw new AssertionError(actual + " (expected: " + expected + ")");
        }
    }
}
