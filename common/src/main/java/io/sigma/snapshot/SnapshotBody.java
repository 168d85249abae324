package io.sigma.snapshot;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.sigma.json.Json;
import io.sigma.json.ParserMessage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * The payload of a transfer and of the snapshot file on a gateway's disk: changes to apply, or every entity of the full
 * state.
 */
public record SnapshotBody(long revision, String stateHash, List<EntityChange> changes) {

    /** Shorter bodies are not compressed: the set-up of compression costs more than the saved bytes. */
    private static final int COMPRESSED_BYTES_MIN = 1024;

    /** The first byte of JSON, with which no zlib stream begins. */
    private static final byte OBJECT = '{';

    public SnapshotBody {
        changes = List.copyOf(changes);
    }

    /** Returns the body that holds every entity of {@code snapshot}. */
    public static SnapshotBody full(Snapshot snapshot) {
        List<EntityChange> all = new ArrayList<>(snapshot.state().size());
        for (ResourceType<?> type : ResourceType.ALL) {
            snapshot.state().of(type).forEach((id, value) -> all.add(new EntityChange(type.kind(), id, value)));
        }
        return new SnapshotBody(snapshot.revision(), snapshot.hash().hex(), all);
    }

    /**
     * Returns this body as JSON, compressed (zlib, RFC 1950) unless it is one short change. Blocks for the time of
     * compression.
     */
    public byte[] compress() {
        if (changes.size() == 1) {
            byte[] json = Json.bytes(this);
            return json.length < COMPRESSED_BYTES_MIN ? json : compressed();
        }
        return compressed();
    }

    private byte[] compressed() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        try (DeflaterOutputStream out = new DeflaterOutputStream(bytes, deflater)) {
            Json.mapper().writeValue(out, this);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            deflater.end();
        }
        return bytes.toByteArray();
    }

    /**
     * Returns the body that {@link #compress()} wrote. Blocks for the time of decompression.
     *
     * @throws IllegalArgumentException when the bytes are damaged, or hold more than
     *     {@link SnapshotProtocol#SNAPSHOT_BYTES_MAX} bytes
     */
    public static SnapshotBody decompress(byte[] compressed) {
        if (compressed.length > 0 && compressed[0] == OBJECT) {
            return Json.read(compressed, SnapshotBody.class);
        }
        try (InputStream in = new BoundedInput(
                new InflaterInputStream(new ByteArrayInputStream(compressed)), SnapshotProtocol.SNAPSHOT_BYTES_MAX)) {
            return Json.mapper().readValue(in, SnapshotBody.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("snapshot: " + ParserMessage.of(e), e);
        } catch (IOException e) {
            throw new IllegalArgumentException("snapshot: " + e.getMessage(), e);
        }
    }
}
