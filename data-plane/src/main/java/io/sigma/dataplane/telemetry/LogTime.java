package io.sigma.dataplane.telemetry;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Times in UTC as lines have them. The date is made once a day, the time of the day once a second. Confined to one
 * event loop.
 */
final class LogTime {

    private static final DateTimeFormatter ISO_DATE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T00:00:00'", Locale.ENGLISH);
    private static final DateTimeFormatter LOCAL_DATE =
            DateTimeFormatter.ofPattern("dd/MMM/uuuu':00:00:00 +0000'", Locale.ENGLISH);
    /** Where the time of the day is. */
    private static final int ISO_TIME = 11;

    private static final int LOCAL_TIME = 12;
    private static final long DAY_SECONDS = 86_400;
    private static final int MILLIS = 1000;
    /** From which years have more digits. */
    private static final long YEAR_10000 = 253_402_300_800L;

    private byte[] iso = {};
    private byte[] local = {};
    private long day = Long.MIN_VALUE;
    private long second = Long.MIN_VALUE;

    /** Appends as {@link Instant#toString()} does: {@code 2026-03-01T12:00:00.123Z}. */
    void iso(LineBuffer line, long epochMillis) {
        long asked = Math.floorDiv(epochMillis, MILLIS);
        if (isUnusual(asked)) {
            line.put(Instant.ofEpochMilli(epochMillis).toString().getBytes(StandardCharsets.US_ASCII));
            return;
        }
        at(asked);
        line.put(iso);
        int millis = (int) (epochMillis - asked * MILLIS);
        if (millis != 0) {
            line.put('.');
            line.threeDigits(millis);
        }
        line.put('Z');
    }

    /** Appends {@code 01/Mar/2026:12:00:00 +0000}. */
    void local(LineBuffer line, long epochMillis) {
        long asked = Math.floorDiv(epochMillis, MILLIS);
        if (isUnusual(asked)) {
            DateTimeFormatter format = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH);
            line.put(format.format(Instant.ofEpochMilli(epochMillis).atZone(ZoneOffset.UTC))
                    .getBytes(StandardCharsets.US_ASCII));
            return;
        }
        at(asked);
        line.put(local);
    }

    private static boolean isUnusual(long second) {
        return second < 0 || second >= YEAR_10000;
    }

    private void at(long asked) {
        if (asked == second) {
            return;
        }
        second = asked;
        if (asked / DAY_SECONDS != day) {
            day = asked / DAY_SECONDS;
            LocalDate date = LocalDate.ofEpochDay(day);
            iso = ISO_DATE.format(date).getBytes(StandardCharsets.US_ASCII);
            local = LOCAL_DATE.format(date).getBytes(StandardCharsets.US_ASCII);
        }
        int ofDay = (int) (asked - day * DAY_SECONDS);
        timeOfDay(iso, ISO_TIME, ofDay);
        timeOfDay(local, LOCAL_TIME, ofDay);
    }

    private static void timeOfDay(byte[] text, int at, int ofDay) {
        twoDigits(text, at, ofDay / 3600);
        twoDigits(text, at + 3, ofDay / 60 % 60);
        twoDigits(text, at + 6, ofDay % 60);
    }

    private static void twoDigits(byte[] text, int at, int value) {
        text[at] = (byte) ('0' + value / 10);
        text[at + 1] = (byte) ('0' + value % 10);
    }
}
