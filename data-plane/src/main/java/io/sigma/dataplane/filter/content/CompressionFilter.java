package io.sigma.dataplane.filter.content;

import io.sigma.dataplane.exchange.Attributes;
import io.sigma.dataplane.exchange.BodyEncoder;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.Vary;
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
public final class CompressionFilter implements Filter {

    private static final String ACCEPT_ENCODING = "accept-encoding";
    private static final String CACHE_CONTROL = "cache-control";
    private static final String ETAG = "etag";
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

    /**
     * A coding with its bounds.
     *
     * @param memory that a compressor takes, in bytes
     */
    private record Coding(
            int index,
            String name,
            int minBytes,
            List<MediaRange> types,
            StreamEncoder.Compressor compressor,
            int memory) {}

    /**
     * The codings that a Content-Type allows.
     *
     * @param codings that apply, in the order in which they are preferred
     * @param endless whether such a body is a stream of events
     */
    private record Candidates(List<Coding> codings, boolean endless) {}

    /** The weights of {@code Accept-Encoding}: of each coding, in their order, and of {@code identity}. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared, and written before anybody else sees it.
    private record Weights(int[] ofCodings, int ofIdentity) {}

    /** In the order in which they are preferred. */
    private final CodingMemory memory;

    private final List<Coding> codings = new ArrayList<>();
    // Bodies that are shorter are not looked at.
    private final int minBytes;
    private final TextMemo<Candidates> byType = new TextMemo<>(this::candidates);
    private final TextMemo<Weights> byAccepted = new TextMemo<>(text -> weigh(List.of(text)));
    private final Weights nothingAccepted;

    /**
     * The configured codings and their settings.
     *
     * @param zstd null, like the others, when it is off
     */
    public record Configuration(
            @Nullable ZstdPlugin zstd,
            @Nullable BrotliPlugin brotli,
            @Nullable GzipPlugin gzip) {

        public static @Nullable Configuration of(Plugins plugins) {
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

    public CompressionFilter(Configuration configuration) {
        this(configuration, CodingMemory.ofProcess());
    }

    /**
     * @param memory that compressors take
     */
    CompressionFilter(Configuration configuration, CodingMemory memory) {
        this.memory = memory;
        ZstdPlugin zstd = configuration.zstd();
        BrotliPlugin brotli = configuration.brotli();
        GzipPlugin gzip = configuration.gzip();
        if (zstd != null && Codings.hasZstd()) {
            int level = Codings.zstdLevel(zstd.level());
            add("zstd", zstd.minBytes(), zstd.types(), out -> Codings.zstd(out, level), CodingMemory.ofZstd(level));
        }
        if (brotli != null && Codings.hasBrotli()) {
            int quality = Codings.brotliQuality(brotli.quality());
            add("br", brotli.minBytes(), brotli.types(), out -> Codings.brotli(out, quality), CodingMemory.ofBrotli());
        }
        if (gzip != null) {
            add("gzip", gzip.minBytes(), gzip.types(), out -> Codings.gzip(out, gzip.level()), CodingMemory.ofGzip());
        } else if (codings.isEmpty()) {
            add("gzip", 256, List.of(), out -> Codings.gzip(out, 6), CodingMemory.ofGzip());
        }
        this.minBytes = codings.stream().mapToInt(Coding::minBytes).min().orElse(0);
        this.nothingAccepted = weigh(List.of());
    }

    private void add(
            String name, int minBytes, List<String> types, StreamEncoder.Compressor compressor, int memoryBytes) {
        codings.add(new Coding(
                codings.size(), name, minBytes, types.isEmpty() ? TYPES : ranges(types), compressor, memoryBytes));
    }

    private static List<MediaRange> ranges(List<String> texts) {
        return texts.stream().map(MediaRange::parse).toList();
    }

    @Override
    public void onResponse(Exchange exchange, ResponseHead head) {
        Fields fields = head.fields();
        if (head.status() == 304) {
            unchanged(exchange.request().fields(), fields);
            return;
        }
        int length = length(fields);
        String contentType = length < minBytes ? null : fields.get("content-type");
        // Content that is empty stays so, whatever the least length is.
        if (contentType == null || length == 0) {
            return;
        }
        Candidates candidates = byType.of(contentType);
        if (candidates.codings.isEmpty() || isAsItIs(exchange, head)) {
            return;
        }
        if (head.status() == 206) {
            // It is not coded, and has the Vary of the whole, which may be (RFC 9110 §15.3.7).
            Vary.add(fields, Vary.ACCEPT_ENCODING);
            return;
        }
        Weights accepted = weights(exchange.request().fields().all(ACCEPT_ENCODING));
        Coding best = null;
        int bestWeight = 0;
        boolean varies = false;
        for (int i = 0; i < candidates.codings.size(); i++) {
            Coding coding = candidates.codings.get(i);
            if (length < coding.minBytes()) {
                continue;
            }
            varies = true;
            int weight = accepted.ofCodings[coding.index()];
            if (weight > bestWeight) {
                best = coding;
                bestWeight = weight;
            }
        }
        if (varies) {
            Vary.add(fields, Vary.ACCEPT_ENCODING);
        }
        // A client that prefers {@code identity} gets the body as it is. A coding that is not listed has the least
        // weight. So does a client that asks intermediaries not to transform (RFC 9111 §5.2.1.6).
        if (best != null
                && (bestWeight < accepted.ofIdentity
                        || forbidsTransforming(exchange.request().fields()))) {
            best = null;
        }
        if (best != null && exchange.request().method().equals("HEAD")) {
            // The head of what GET would get (RFC 9110 §9.3.2), whose length is not known.
            describe(fields, best);
        } else if (best != null && memory.tryTake(best.memory())) {
            encode(exchange, fields, best, candidates.endless);
        }
    }

    /**
     * Gives a 304 what the 200 had (RFC 9110 §15.4.5): the client may have got either form, and the weak tag only with
     * this one. Its type is not known, so it varies also where that would not be compressed, and has no length, which
     * may be that of the other form (§8.6).
     */
    private static void unchanged(Fields request, Fields response) {
        Vary.add(response, Vary.ACCEPT_ENCODING);
        response.remove(CONTENT_LENGTH);
        String tag = response.get(ETAG);
        if (tag != null && !tag.startsWith("W/")) {
            String weak = "W/" + tag;
            boolean compressed = request.all("if-none-match").stream().anyMatch(known -> known.contains(weak));
            if (compressed) {
                response.set(ETAG, weak);
                response.removeAll(BodyEncoder.OF_THE_CONTENT);
            }
        }
    }

    /** Returns the length of the body as announced; the largest number when it is not, or hard to say. */
    private static int length(Fields fields) {
        String length = fields.get(CONTENT_LENGTH);
        return length != null && length.length() < 10 ? Integer.parseInt(length) : Integer.MAX_VALUE;
    }

    private Candidates candidates(String contentType) {
        try {
            MediaRange type = MediaRange.parse(contentType);
            List<Coding> applying = codings.stream()
                    .filter(coding -> coding.types().stream().anyMatch(range -> range.overlaps(type)))
                    .toList();
            return new Candidates(applying, type.subtype().equals("event-stream"));
        } catch (InvalidValue e) {
            return new Candidates(List.of(), false);
        }
    }

    private Weights weights(List<String> accepted) {
        return switch (accepted.size()) {
            case 0 -> nothingAccepted;
            case 1 -> byAccepted.of(accepted.getFirst());
            default -> weigh(accepted);
        };
    }

    private Weights weigh(List<String> accepted) {
        return new Weights(
                codings.stream()
                        .mapToInt(coding -> AcceptEncoding.weight(accepted, coding.name()))
                        .toArray(),
                AcceptEncoding.weight(accepted, "identity"));
    }

    private static boolean isAsItIs(Exchange exchange, ResponseHead head) {
        Fields fields = head.fields();
        return head.status() == 204
                || head.status() == 304
                || fields.contains(CONTENT_ENCODING)
                || (fields.contains("content-range") && head.status() != 206)
                || exchange.get(Attributes.FILE) != null
                // RFC 9111 §5.2.2.6.
                || forbidsTransforming(fields);
    }

    /** A list may have several lines (RFC 9110 §5.3). */
    private static boolean forbidsTransforming(Fields fields) {
        if (!fields.contains(CACHE_CONTROL)) {
            return false;
        }
        for (String line : fields.all(CACHE_CONTROL)) {
            if (line.toLowerCase(Locale.ROOT).contains("no-transform")) {
                return true;
            }
        }
        return false;
    }

    private void encode(Exchange exchange, Fields fields, Coding coding, boolean endless) {
        // A node that announces no length may send for a long time, and the client waits for each piece.
        boolean streams = endless || !fields.contains(CONTENT_LENGTH);
        // Of a response that something else is answered instead of.
        onEnd(exchange);
        exchange.put(
                Attributes.BODY_ENCODER,
                new StreamEncoder(coding.compressor(), streams, () -> memory.give(coding.memory())));
        describe(fields, coding);
    }

    private static void describe(Fields fields, Coding coding) {
        fields.set(CONTENT_ENCODING, coding.name());
        fields.remove(CONTENT_LENGTH);
        fields.remove("accept-ranges");
        // They are of the content as it was (RFC 9530).
        fields.removeAll(BodyEncoder.OF_THE_CONTENT);
        String tag = fields.get(ETAG);
        if (tag != null && !tag.startsWith("W/")) {
            // Another representation cannot have the same strong tag (RFC 9110 §8.8.3).
            fields.set(ETAG, "W/" + tag);
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
