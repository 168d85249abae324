package io.sigma.dataplane.testkit;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads HTTP/1 from a stream, strictly. */
public final class Wire {

    private Wire() {}

    /** Returns the line without its end, null at the end of the stream. */
    static @Nullable public String readLine(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int c = in.read();
        if (c < 0) {
            return null;
        }
        while (c != '\n') {
            if (c < 0) {
                throw new EOFException("within a line: " + line);
            }
            line.write(c);
            c = in.read();
        }
        String text = line.toString(StandardCharsets.ISO_8859_1);
        if (!text.endsWith("\r")) {
            throw new IOException("a line that ends in LF alone: " + text);
        }
        return text.substring(0, text.length() - 1);
    }

    public static List<String> readFields(InputStream in) throws IOException {
        List<String> fields = new ArrayList<>();
        String field = readLine(in);
        while (field != null && !field.isEmpty()) {
            fields.add(field);
            field = readLine(in);
        }
        return fields;
    }

    /** Reads a chunked body to its end, trailers included, which are returned. */
    public static List<String> readChunks(InputStream in, ByteArrayOutputStream body) throws IOException {
        while (true) {
            String size = readLine(in);
            if (size == null) {
                throw new EOFException("before the last chunk");
            }
            int length = Integer.parseInt(size.split(";", -1)[0].strip(), 16);
            if (length == 0) {
                return readFields(in);
            }
            byte[] data = in.readNBytes(length);
            if (data.length < length) {
                throw new EOFException("within a chunk");
            }
            body.write(data);
            readLine(in);
        }
    }
}
