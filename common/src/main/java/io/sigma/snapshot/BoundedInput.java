package io.sigma.snapshot;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Fails once more than a number of bytes was read, so that compressed input cannot grow without bound. */
final class BoundedInput extends FilterInputStream {

    private final long bytesMax;
    private long bytesRead;

    BoundedInput(InputStream in, long bytesMax) {
        super(in);
        this.bytesMax = bytesMax;
    }

    @Override
    public int read() throws IOException {
        int value = super.read();
        count(value < 0 ? 0 : 1);
        return value;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int count = super.read(buffer, offset, length);
        count(Math.max(count, 0));
        return count;
    }

    private void count(int bytes) throws IOException {
        bytesRead += bytes;
        if (bytesRead > bytesMax) {
            throw new IOException("more than " + bytesMax + " bytes");
        }
    }
}
