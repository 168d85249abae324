package io.sigma.dataplane.filter.content;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.encoder.BrotliOutputStream;
import com.aayushatharva.brotli4j.encoder.Encoder;
import com.github.luben.zstd.ZstdOutputStream;
import com.github.luben.zstd.util.Native;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.GZIPOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The content codings. Brotli and Zstandard need native code; where it does not load, they are not offered. */
final class Codings {

    private static final Logger LOG = LoggerFactory.getLogger(Codings.class);
    private static final int BUFFER_BYTES = 4096;

    // Above these, one piece of a body takes the event loop for tenths of a second. Configurations from before the
    // contract had these bounds may say more.
    private static final int BROTLI_QUALITY_MAX = 9;
    private static final int ZSTD_LEVEL_MAX = 12;

    private static final boolean BROTLI = loads("Brotli", Brotli4jLoader::ensureAvailability);
    private static final boolean ZSTD = loads("Zstandard", Native::load);

    private Codings() {}

    private static boolean loads(String name, Runnable load) {
        try {
            load.run();
            return true;
        } catch (LinkageError | RuntimeException e) {
            LOG.warn("{} is not available on this machine, so gzip is used: {}", name, e.toString());
            return false;
        }
    }

    /** Returns the quality that a body is compressed with, 0..9, where {@code configured} is asked for. */
    static int brotliQuality(int configured) {
        return Math.min(configured, BROTLI_QUALITY_MAX);
    }

    /** Returns the level that a body is compressed with, 1..12, where {@code configured} is asked for. */
    static int zstdLevel(int configured) {
        return Math.min(configured, ZSTD_LEVEL_MAX);
    }

    static boolean hasBrotli() {
        return BROTLI;
    }

    static boolean hasZstd() {
        return ZSTD;
    }

    static OutputStream gzip(OutputStream out, int level) throws IOException {
        return new LeveledGzip(out, level);
    }

    static OutputStream brotli(OutputStream out, int quality) throws IOException {
        return new BrotliOutputStream(out, new Encoder.Parameters().setQuality(quality), BUFFER_BYTES);
    }

    static OutputStream zstd(OutputStream out, int level) throws IOException {
        return new ZstdOutputStream(out, level);
    }

    private static final class LeveledGzip extends GZIPOutputStream {

        private LeveledGzip(OutputStream out, int level) throws IOException {
            super(out, BUFFER_BYTES, true);
            def.setLevel(level);
        }
    }
}
