package io.sigma.controlplane.events;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Something that the log may not know yet. Of one subject the log takes what has a greater ordinal than the newest, and
 * of those with the same ordinal what has another mark: so several control planes may tell of the same thing.
 *
 * @param data one JSON object, as a text
 */
record NewEvent(String type, String subject, long ordinal, String mark, String data) {

    /** The longest subject, in characters; an index of the database always takes it. */
    private static final int SUBJECT_LENGTH_MAX = 200;

    NewEvent {
        subject = subject.length() > SUBJECT_LENGTH_MAX ? digest(subject) : subject;
    }

    private static String digest(String text) {
        try {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
