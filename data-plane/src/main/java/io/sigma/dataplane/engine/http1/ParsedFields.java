package io.sigma.dataplane.engine.http1;

import io.sigma.dataplane.exchange.FieldNames;
import io.sigma.dataplane.exchange.ForwardingNames;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a head as they were parsed, where they lie. Those that follow as they did in the head before are kept,
 * and with them what was asked of them. Confined to the event loop.
 */
abstract class ParsedFields {

    private static final int FIELDS_INITIAL = 16;
    /** Room for more fields, which some head needed, is not kept for the next one. */
    private static final int ROOM_KEPT_MAX = 128;
    /** So many fields are kept one by one, each a bit of a long; the last bit is for all behind them. */
    private static final int KEPT_MAX = Long.SIZE - 1;
    /**
     * Ints that a field takes: where its line begins, from where the fields begin; how long the line and the name are;
     * where the value begins and ends in the line; and the hash of the name.
     */
    private static final int WIDTH = 6;

    private static final @Nullable String[] NONE = new @Nullable String[0];

    private final Texts texts;
    private byte[] octets = new byte[0];
    private int base;
    private int[] table = new int[FIELDS_INITIAL * WIDTH];
    private int count;
    private int removed;
    /** A bit for each hash that was seen: most questions are about fields that are not there. */
    private long seen;
    /** A bit for each field whose name has an underscore. */
    private long underscored;
    /** A bit for each field by which proxies describe a client. */
    private long forwarding;

    // The fields of the previous head. Those from {@code count} on are still in the table.
    private int before;
    private long seenBefore;
    private long underscoredBefore;
    private long forwardingBefore;
    /** A bit for each field that was kept. */
    private long kept;
    /** Of each field that was kept, the name that somebody asked for, and its value; null when nobody did. */
    private @Nullable String[] known = NONE;

    ParsedFields(Texts texts) {
        this.texts = texts;
    }

    /** Reads something of the table ahead; see {@link io.sigma.dataplane.loop.Prefetched}. */
    final int prefetchTable() {
        return table[0] + table[16] + table[32] + table[48] + (known.length > 0 && known[0] == null ? 1 : 0);
    }

    /**
     * Forgets the fields.
     *
     * @param comparable whether the head before was complete, so that fields of it may be kept
     */
    void reset(boolean comparable) {
        forget(kept & (-1L << Math.min(count, KEPT_MAX)));
        if (table.length > ROOM_KEPT_MAX * WIDTH) {
            table = new int[FIELDS_INITIAL * WIDTH];
            before = 0;
        } else if (!comparable) {
            before = 0;
        }
        count = 0;
        removed = 0;
        seen = 0;
        underscored = 0;
        forwarding = 0;
    }

    /** The octets are in another array, where the fields begin at {@code start}. */
    final void moved(byte[] head, int start) {
        octets = head;
        base = start;
    }

    /** The fields begin at {@code start}. */
    final void begin(int start) {
        base = start;
    }

    /** All fields are parsed; edits follow. */
    final void complete() {
        before = count;
        seenBefore = seen;
        underscoredBefore = underscored;
        forwardingBefore = forwarding;
    }

    /**
     * Returns how much memory the places of fields take beside what each table has, in octets: short lines need more
     * for these than they have.
     */
    final int surplus() {
        return (table.length - FIELDS_INITIAL * WIDTH) * Integer.BYTES;
    }

    /** Returns how many fields were parsed. */
    final int parsed() {
        return count;
    }

    /** Returns how many of these remain. */
    final int left() {
        return count - removed;
    }

    final boolean isUnderscored() {
        return underscored != 0;
    }

    final boolean isForwarding() {
        return forwarding != 0;
    }

    /**
     * Adds a field that was parsed.
     *
     * @param start of its line, as an index of the octets
     * @param length of its line, with the line end
     * @param valueStart in the line, as is {@code valueEnd}
     * @param hash of its name in lower case, by {@link String#hashCode()}
     * @param odd whether its name has an underscore
     * @return whether a field of that name was at that place in the head before
     */
    final boolean parsed(int start, int length, int nameLength, int valueStart, int valueEnd, int hash, boolean odd) {
        int at = count * WIDTH;
        if (at == table.length) {
            table = Arrays.copyOf(table, at * 2);
        }
        boolean again = count < before && table[at + 5] == hash;
        if (isKept(count)) {
            forget(1L << count);
        }
        if (odd) {
            underscored |= 1L << Math.min(count, KEPT_MAX);
        }
        if (ForwardingNames.isOne(octets, start, nameLength)) {
            forwarding |= 1L << Math.min(count, KEPT_MAX);
        }
        table[at] = start - base;
        table[at + 1] = length;
        table[at + 2] = nameLength;
        table[at + 3] = valueStart;
        table[at + 4] = valueEnd;
        table[at + 5] = hash;
        count++;
        seen |= FieldNames.bit(hash);
        return again;
    }

    // --- What is kept of the head before

    /**
     * Returns where the line of the next field began in the head before, from where its fields began; -1 when no more
     * can be kept.
     */
    final int nextBefore() {
        return count < Math.min(before, KEPT_MAX) ? start(count * WIDTH) : -1;
    }

    /**
     * Keeps the next fields of the head before as far as their lines lie before {@code same}.
     *
     * @param same where what is the same ends, from where the fields of the head before began
     * @param shift how much farther the lines are now from where the fields begin
     * @return how long the lines are that are kept, in octets
     */
    final int keep(int same, int shift) {
        int last = (before - 1) * WIDTH;
        int end = start(last) + table[last + 1];
        if (count == 0 && shift == 0 && end <= same) {
            keepAll();
            return end;
        }
        int first = count;
        int length = 0;
        int most = Math.min(before, KEPT_MAX);
        for (; count < most; count++) {
            int at = count * WIDTH;
            int start = start(at);
            if (start + table[at + 1] > same) {
                break;
            }
            table[at] = start + shift;
            length += table[at + 1];
            seen |= FieldNames.bit(table[at + 5]);
        }
        long rows = bits(count) & ~bits(first);
        underscored |= underscoredBefore & rows;
        forwarding |= forwardingBefore & rows;
        keep(rows);
        return length;
    }

    private void keepAll() {
        count = before;
        seen = seenBefore;
        underscored = underscoredBefore;
        forwarding = forwardingBefore;
        for (int at = 0; at < count * WIDTH; at += WIDTH) {
            table[at] = start(at);
        }
        keep(bits(Math.min(count, KEPT_MAX)));
    }

    private void keep(long rows) {
        kept |= rows;
        int slots = 2 * Math.min(count, KEPT_MAX);
        if (known.length < slots) {
            known = Arrays.copyOf(known, Math.max(slots, 2 * FIELDS_INITIAL));
        }
    }

    private static long bits(int rows) {
        return (1L << rows) - 1;
    }

    private boolean isKept(int index) {
        return index < KEPT_MAX && (kept >>> index & 1) != 0;
    }

    /** Forgets what was asked of these fields. */
    private void forget(long rows) {
        kept &= ~rows;
        for (long left = rows; left != 0; left &= left - 1) {
            int slot = 2 * Long.numberOfTrailingZeros(left);
            clear(slot);
            clear(slot + 1);
        }
    }

    private void clear(int slot) {
        if (known[slot] != null) {
            known[slot] = null;
        }
    }

    // --- Questions

    final boolean maySee(int hash) {
        return (seen & FieldNames.bit(hash)) != 0;
    }

    final boolean maySee(FieldNames names) {
        return (seen & names.bits()) != 0;
    }

    /** A field was added whose name has that hash. */
    final void sees(int hash) {
        seen |= FieldNames.bit(hash);
    }

    /** Returns the index of the next parsed field of that name; -1 when there is none. */
    final int find(String name, int hash, int from) {
        for (int i = from; i < count; i++) {
            int at = i * WIDTH;
            if (table[at + 5] == hash && table[at] >= 0 && isNamed(i, name)) {
                return i;
            }
        }
        return -1;
    }

    @SuppressWarnings("ReferenceEquality") // Another object is looked at, whatever it says.
    private boolean isNamed(int index, String name) {
        if (!isKept(index)) {
            return says(index, name);
        }
        String asked = known[2 * index];
        if (asked == name) {
            return true;
        }
        boolean named = says(index, name);
        if (named && asked == null) {
            known[2 * index] = name;
        }
        return named;
    }

    private boolean says(int index, String name) {
        int at = index * WIDTH;
        return table[at + 2] == name.length() && Octets.isToken(octets, base + table[at], name);
    }

    /** Returns whether the field has one of {@code names}. */
    final boolean isOneOf(int index, FieldNames names) {
        int hash = table[index * WIDTH + 5];
        if ((FieldNames.bit(hash) & names.bits()) == 0) {
            return false;
        }
        for (int i = 0; i < names.all().size(); i++) {
            String name = names.all().get(i);
            if (name.hashCode() == hash && isNamed(index, name)) {
                return true;
            }
        }
        return false;
    }

    final String value(int index) {
        boolean remembers = isKept(index);
        String text = remembers ? known[2 * index + 1] : null;
        if (text == null) {
            int at = index * WIDTH;
            int line = base + table[at];
            text = texts.of(octets, line + table[at + 3], line + table[at + 4]);
            if (remembers) {
                known[2 * index + 1] = text;
            }
        }
        return text;
    }

    /** Returns whether {@code text}, which is ASCII, is in the value. */
    final boolean valueContains(int index, String text) {
        int at = index * WIDTH;
        int line = base + table[at];
        return Octets.contains(octets, line + table[at + 3], line + table[at + 4], text);
    }

    final String name(int index) {
        int at = index * WIDTH;
        int line = base + table[at];
        return texts.of(octets, line, line + table[at + 2]);
    }

    /** Returns the number that the value is; -2 when it is none of at most {@code digitsMax} digits. */
    final long number(int index, int digitsMax) {
        int at = index * WIDTH;
        int line = base + table[at];
        return Octets.number(octets, line + table[at + 3], line + table[at + 4], digitsMax);
    }

    // --- Edits

    /** The line stays where it is, and is known to be gone by its start. */
    final void drop(int index) {
        table[index * WIDTH] = ~table[index * WIDTH];
        removed++;
    }

    final boolean isThere(int index) {
        return table[index * WIDTH] >= 0;
    }

    /** Returns where a line begins, also if it is gone. */
    private int start(int at) {
        int start = table[at];
        return start < 0 ? ~start : start;
    }

    /** Writes what is left as it came, in one copy for all lines that are neighbours. */
    final void writeLeft(HeadBuffer out) {
        int i = 0;
        while (i < count) {
            if (!isThere(i)) {
                i++;
                continue;
            }
            int start = table[i * WIDTH];
            int end = start;
            while (i < count && isThere(i)) {
                end += table[i * WIDTH + 1];
                i++;
            }
            out.put(octets, base + start, end - start);
        }
    }
}
