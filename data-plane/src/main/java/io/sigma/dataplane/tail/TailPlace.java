package io.sigma.dataplane.tail;

import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The position up to which a watch was read: its name, and the place in each of its rings, as a text for the caller.
 */
final class TailPlace {

    private static final int RADIX = 36;

    private TailPlace() {}

    static String text(TailWatch watch, long[] places) {
        StringJoiner text = new StringJoiner(".", watch.name() + ":", "");
        for (long place : places) {
            text.add(Long.toString(place, RADIX));
        }
        return text.toString();
    }

    /** Returns the places in {@code watch}; null when the text is of another watch. */
    static long @Nullable [] of(@Nullable String text, TailWatch watch) {
        String begin = watch.name() + ":";
        if (text == null || !text.startsWith(begin)) {
            return null;
        }
        String[] words = text.substring(begin.length()).split("\\.", -1);
        long[] places = new long[2 * watch.loops()];
        if (words.length != places.length) {
            return null;
        }
        try {
            for (int i = 0; i < places.length; i++) {
                places[i] = Long.parseLong(words[i], RADIX);
                if (places[i] < 0) {
                    return null;
                }
            }
        } catch (NumberFormatException e) {
            return null;
        }
        return places;
    }
}
