package io.sigma.dataplane.filter;

import io.sigma.dataplane.exchange.AttributeKey;
import io.sigma.dataplane.exchange.Attributes;
import io.sigma.dataplane.exchange.BodyEncoder;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.model.BrotliPlugin;
import io.sigma.model.GzipPlugin;
import io.sigma.model.Plugins;
import io.sigma.model.ZstdPlugin;
import io.sigma.value.InvalidValue;
import io.sigma.value.MediaRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Compresses responses with the coding that the client likes best; between equal ones with the better. */
final class CompressionFilter implements Filter {

    /** Set for clients that take a coding, so that small files are compressed too. */
    static final AttributeKey<Boolean> WANTED = AttributeKey.of(Boolean.class, "compressionWanted");

    private static final String ACCEPT_ENCODING = "accept-encoding";
    private static final String CONTENT_ENCODING = "content-encoding";
    private static final String CONTENT_LENGTH = "content-length";
    private static final List<MediaRange> TYPES = ranges(List.of(
            "text/*",
            "application/atom+xml",
            "application/geo+json",
            "application/javascript",
            "application/json",
            "application/ld+json",
            "application/manifest+json",
            "application/problem+json",
            "application/rss+xml",
            "application/vnd.ms-fontobject",
            "application/wasm",
            "application/xhtml+xml",
            "application/xml",
            "font/otf",
            "font/ttf",
            "image/bmp",
            "image/svg+xml",
            "image/x-icon"));

    /** A coding with its bounds. */
    private record Coding(String name, int minBytes, List<MediaRange> types, StreamEncoder.Compressor compressor) {}

    /** In the order in which they are preferred. */
    private final List<Coding> codings = new ArrayList<>();

    /**
     * What is on.
     *
     * @param zstd null, like the others, when it is off
     */
    record Configuration(
            @Nullable ZstdPlugin zstd,
            @Nullable BrotliPlugin brotli,
            @Nullable GzipPlugin gzip) {

        static @Nullable Configuration of(Plugins plugins) {
            ZstdPlugin zstd = plugins.zstd();
            BrotliPlugin brotli = plugins.brotli();
            GzipPlugin gzip = plugins.gzip();
            Configuration on = new Configuration(
                    zstd != null && zstd.enabled() ? zstd : null,
                    brotli != null && brotli.enabled() ? brotli : null,
                    gzip != null && gzip.enabled() ? gzip : null);
            return on.zstd == null && on.brotli == null && on.gzip == null ? null : on;
        }
    }

    CompressionFilter(Configuration configuration) {
        ZstdPlugin zstd = configuration.zstd();
        BrotliPlugin brotli = configuration.brotli();
        GzipPlugin gzip = configuration.gzip();
        if (zstd != null && Codings.hasZstd()) {
            add("zstd", zstd.minBytes(), zstd.types(), out -> Codings.zstd(out, zstd.level()));
        }
        if (brotli != null && Codings.hasBrotli()) {
            add("br", brotli.minBytes(), brotli.types(), out -> Codings.brotli(out, brotli.quality()));
        }
        if (gzip != null) {
            add("gzip", gzip.minBytes(), gzip.types(), out -> Codings.gzip(out, gzip.level()));
        } else if (codings.isEmpty()) {
            add("gzip", 256, List.of(), out -> Codings.gzip(out, 6));
        }
    }

    private void add(String name, int minBytes, List<String> types, StreamEncoder.Compressor compressor) {
        codings.add(new Coding(name, minBytes, types.isEmpty() ? TYPES : ranges(types), compressor));
    }

    private static List<MediaRange> ranges(List<String> texts) {
        return texts.stream().map(MediaRange::parse).toList();
    }

    @Override
    public Verdict onRequest(Exchange exchange, Replies replies) {
        exchange.put(WANTED, exchange.request().fields().contains(ACCEPT_ENCODING) ? true : null);
        return Verdict.CONTINUE;
    }

    @Override
    public void onResponse(Exchange exchange, ResponseHead head) {
        Fields fields = head.fields();
        MediaRange type = type(fields.get("content-type"));
        if (type == null || isAsItIs(exchange, head)) {
            return;
        }
        List<String> accepted = exchange.request().fields().all(ACCEPT_ENCODING);
        Coding best = null;
        int bestWeight = 0;
        boolean varies = false;
        for (Coding coding : codings) {
            if (!applies(coding, type, fields)) {
                continue;
            }
            varies = true;
            int weight = AcceptEncoding.weight(accepted, coding.name());
            if (weight > bestWeight) {
                best = coding;
                bestWeight = weight;
            }
        }
        if (varies) {
            Vary.add(fields, "Accept-Encoding");
        }
        // Who likes it better as it is gets it so; one that nothing is said of is liked least.
        if (best != null && bestWeight < AcceptEncoding.weight(accepted, "identity")) {
            best = null;
        }
        if (best != null && !exchange.request().method().equals("HEAD")) {
            encode(exchange, fields, best, type);
        }
    }

    private static @Nullable MediaRange type(@Nullable String contentType) {
        try {
            return contentType == null ? null : MediaRange.parse(contentType);
        } catch (InvalidValue e) {
            return null;
        }
    }

    private static boolean isAsItIs(Exchange exchange, ResponseHead head) {
        Fields fields = head.fields();
        String control = fields.get("cache-control");
        return head.status() == 204
                || head.status() == 206
                || head.status() == 304
                || fields.contains(CONTENT_ENCODING)
                || fields.contains("content-range")
                || exchange.get(Attributes.FILE) != null
                // RFC 9111 §5.2.2.6.
                || (control != null && control.toLowerCase(Locale.ROOT).contains("no-transform"));
    }

    private static boolean applies(Coding coding, MediaRange type, Fields fields) {
        String length = fields.get(CONTENT_LENGTH);
        boolean tooShort = length != null && length.length() < 10 && Integer.parseInt(length) < coding.minBytes();
        return !tooShort && coding.types().stream().anyMatch(range -> range.overlaps(type));
    }

    private static void encode(Exchange exchange, Fields fields, Coding coding, MediaRange type) {
        // Who sends without a length may send for a long time, and each piece is waited for.
        boolean streams = !fields.contains(CONTENT_LENGTH) || type.subtype().equals("event-stream");
        exchange.put(Attributes.BODY_ENCODER, new StreamEncoder(coding.compressor(), streams));
        fields.set(CONTENT_ENCODING, coding.name());
        fields.remove(CONTENT_LENGTH);
        fields.remove("accept-ranges");
        String tag = fields.get("etag");
        if (tag != null && !tag.startsWith("W/")) {
            // Another representation cannot have the same strong tag (RFC 9110 §8.8.3).
            fields.set("etag", "W/" + tag);
        }
    }

    @Override
    public void onEnd(Exchange exchange) {
        BodyEncoder encoder = exchange.get(Attributes.BODY_ENCODER);
        if (encoder instanceof StreamEncoder stream) {
            stream.close();
        }
    }
}
