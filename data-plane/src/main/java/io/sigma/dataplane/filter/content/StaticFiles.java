package io.sigma.dataplane.filter.content;

import io.sigma.dataplane.disk.ServedFile;
import io.sigma.dataplane.disk.ServedFolder;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds files below a folder. Blocks; thread-safe. */
public final class StaticFiles {

    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("css", "text/css; charset=utf-8"),
            Map.entry("csv", "text/csv; charset=utf-8"),
            Map.entry("gif", "image/gif"),
            Map.entry("htm", "text/html; charset=utf-8"),
            Map.entry("html", "text/html; charset=utf-8"),
            Map.entry("ico", "image/x-icon"),
            Map.entry("jpeg", "image/jpeg"),
            Map.entry("jpg", "image/jpeg"),
            Map.entry("js", "text/javascript; charset=utf-8"),
            Map.entry("json", "application/json"),
            Map.entry("map", "application/json"),
            Map.entry("md", "text/markdown; charset=utf-8"),
            Map.entry("mjs", "text/javascript; charset=utf-8"),
            Map.entry("mp4", "video/mp4"),
            Map.entry("pdf", "application/pdf"),
            Map.entry("png", "image/png"),
            Map.entry("svg", "image/svg+xml"),
            Map.entry("txt", "text/plain; charset=utf-8"),
            Map.entry("wasm", "application/wasm"),
            Map.entry("webp", "image/webp"),
            Map.entry("woff", "font/woff"),
            Map.entry("woff2", "font/woff2"),
            Map.entry("xml", "application/xml"),
            Map.entry("zip", "application/zip"));

    private final ServedFolder root;
    private final String index;
    private final @Nullable String fallback;

    /**
     * @param index name of the file that stands for its folder
     * @param fallback path below {@code root} of the file that is served where none is found; null for none
     */
    public StaticFiles(ServedFolder root, String index, @Nullable String fallback) {
        this.root = root;
        this.index = index;
        this.fallback = fallback;
    }

    /**
     * Returns the file at {@code below}, or the index of the folder there; null when there is none.
     *
     * @param below percent-encoded path in normal form with a leading slash, or empty
     */
    @Nullable
    StaticFile find(String below) {
        StaticFile found = at(below);
        return found == null && fallback != null ? at("/" + fallback) : found;
    }

    private @Nullable StaticFile at(String below) {
        String decoded = decode(below);
        if (decoded == null) {
            return null;
        }
        String relative = decoded.startsWith("/") ? decoded.substring(1) : decoded;
        boolean slash = decoded.endsWith("/");
        ServedFile found = root.find(relative);
        if (found == null || !found.folder()) {
            return found == null || slash ? null : of(found);
        }
        ServedFile standing = root.find(relative + (slash || relative.isEmpty() ? "" : "/") + index);
        if (standing == null || standing.folder()) {
            return null;
        }
        return slash ? of(standing) : of(found);
    }

    private static StaticFile of(ServedFile found) {
        return new StaticFile(found, found.folder() ? "" : type(found.name()), Instant.now());
    }

    private static String type(String name) {
        String extension = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return TYPES.getOrDefault(extension, "application/octet-stream");
    }

    /** Returns the decoded path; null when it is not UTF-8 or an encoded slash or NUL would become part of a name. */
    private static @Nullable String decode(String path) {
        if (path.indexOf('%') < 0) {
            return path;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(path.length());
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            int octet = c == '%' ? Integer.parseInt(path, i + 1, i + 3, 16) : c;
            if (c == '%' && (octet == '/' || octet == '\\' || octet == 0)) {
                return null;
            }
            i += c == '%' ? 2 : 0;
            bytes.write(octet);
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
