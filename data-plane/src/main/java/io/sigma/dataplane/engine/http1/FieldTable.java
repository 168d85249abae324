package io.sigma.dataplane.engine.http1;

import io.sigma.dataplane.exchange.FieldLine;
import io.sigma.dataplane.exchange.FieldNames;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.loop.Prefetched;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a head where they lie, and the edits made since. Looking at a field compares hashes; a text is made only of
 * what somebody asks for. What nobody changed is written as it came, in as few copies as there are gaps. One table serves all
 * heads of a connection, one after the other. Confined to the event loop.
 */
final class FieldTable implements Fields, Prefetched {

    private static final int FIELDS_INITIAL = 16;
    private static final int ADDED_INITIAL = 8;
    /** Ints that a field takes: where its line begins, ends, its name ends, its value begins and ends, and its hash. */
    private static final int WIDTH = 6;

    private byte[] octets = new byte[0];
    private int[] table = new int[FIELDS_INITIAL * WIDTH];
    private int count;
    private int removed;
    private boolean underscored;
    private final Texts texts;
    // Fields that were added: names, values, and lines where they are encoded already.
    private String[] names = new String[ADDED_INITIAL];
    private String[] values = new String[ADDED_INITIAL];
    private @Nullable FieldLine[] lines = new @Nullable FieldLine[ADDED_INITIAL];
    private int added;
    /** A bit for each hash that was seen: most questions are about fields that are not there. */
    private long seen;

    FieldTable(Texts texts) {
        this.texts = texts;
    }

    @Override
    public int prefetch(int distance) {
        return switch (distance) {
            case 0 -> count;
            case 1 ->
                table[0]
                        + table[16]
                        + table[32]
                        + table[48]
                        + (names[0] == null ? 1 : 0)
                        + (values[0] == null ? 1 : 0)
                        + (lines[0] == null ? 1 : 0);
            default -> 0;
        };
    }

    /** Forgets everything; fields that follow lie in {@code head}. */
    void reset(byte[] head) {
        octets = head;
        count = 0;
        removed = 0;
        underscored = false;
        seen = 0;
        added = 0;
    }

    /** The octets have been moved to a larger array. */
    void moved(byte[] head) {
        octets = head;
    }

    /** Returns how many fields were parsed. */
    int parsed() {
        return count;
    }

    @Override
    public int size() {
        return count - removed + added;
    }

    @Override
    public boolean mayHaveOddNames() {
        return underscored;
    }

    /** Notes that the name of a field that was parsed has an underscore. */
    void underscored() {
        underscored = true;
    }

    /**
     * Adds a field that was parsed.
     *
     * @param hash of its name in lower case, by {@link String#hashCode()}
     */
    void parsed(int lineStart, int lineEnd, int nameEnd, int valueStart, int valueEnd, int hash) {
        int at = count * WIDTH;
        if (at == table.length) {
            table = Arrays.copyOf(table, at * 2);
        }
        table[at] = lineStart;
        table[at + 1] = lineEnd;
        table[at + 2] = nameEnd;
        table[at + 3] = valueStart;
        table[at + 4] = valueEnd;
        table[at + 5] = hash;
        count++;
        seen |= FieldNames.bit(hash);
    }

    private boolean maySee(int hash) {
        return (seen & FieldNames.bit(hash)) != 0;
    }

    /** Returns the index of the next parsed field of that name; -1 when there is none. */
    private int find(String name, int hash, int from) {
        for (int i = from; i < count; i++) {
            int at = i * WIDTH;
            if (table[at + 5] == hash && table[at] >= 0 && isNamed(at, name)) {
                return i;
            }
        }
        return -1;
    }

    private boolean isNamed(int at, String name) {
        int start = table[at];
        if (table[at + 2] - start != name.length()) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            if (Octets.tokenLower(octets[start + i]) != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private String value(int index) {
        int at = index * WIDTH;
        return texts.of(octets, table[at + 3], table[at + 4]);
    }

    private String name(int index) {
        int at = index * WIDTH;
        return texts.of(octets, table[at], table[at + 2]);
    }

    @Override
    public @Nullable String get(String name) {
        String key = FieldNames.lower(name);
        int hash = key.hashCode();
        if (!maySee(hash)) {
            return null;
        }
        int index = find(key, hash, 0);
        if (index >= 0) {
            return value(index);
        }
        int other = findAdded(key, 0);
        return other < 0 ? null : values[other];
    }

    @Override
    public List<String> all(String name) {
        String key = FieldNames.lower(name);
        int hash = key.hashCode();
        if (!maySee(hash)) {
            return List.of();
        }
        List<String> found = new ArrayList<>(2);
        for (int i = find(key, hash, 0); i >= 0; i = find(key, hash, i + 1)) {
            found.add(value(i));
        }
        for (int i = findAdded(key, 0); i >= 0; i = findAdded(key, i + 1)) {
            found.add(values[i]);
        }
        return found;
    }

    @Override
    public boolean contains(String name) {
        String key = FieldNames.lower(name);
        int hash = key.hashCode();
        return maySee(hash) && (find(key, hash, 0) >= 0 || findAdded(key, 0) >= 0);
    }

    @Override
    public int count(String name) {
        String key = FieldNames.lower(name);
        int hash = key.hashCode();
        int found = 0;
        if (maySee(hash)) {
            for (int i = find(key, hash, 0); i >= 0; i = find(key, hash, i + 1)) {
                found++;
            }
            for (int i = findAdded(key, 0); i >= 0; i = findAdded(key, i + 1)) {
                found++;
            }
        }
        return found;
    }

    /** Returns the index of the next added field of that name; -1 when there is none. */
    private int findAdded(String key, int from) {
        for (int i = from; i < added; i++) {
            if (names[i].equalsIgnoreCase(key)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Returns the number that the one field of that name has as its value; -1 when there is no such field, -2 when it is no
     * number of at most {@code digitsMax} digits, or not the only one.
     *
     * @param name in lower case
     */
    long number(String name, int digitsMax) {
        int hash = name.hashCode();
        if (!maySee(hash)) {
            return -1;
        }
        int index = find(name, hash, 0);
        int other = findAdded(name, 0);
        if (index < 0 && other < 0) {
            return -1;
        }
        if (index < 0 || other >= 0 || find(name, hash, index + 1) >= 0) {
            return -2;
        }
        int from = table[index * WIDTH + 3];
        int to = table[index * WIDTH + 4];
        if (from == to || to - from > digitsMax) {
            return -2;
        }
        long number = 0;
        for (int i = from; i < to; i++) {
            int digit = octets[i] - '0';
            if (digit < 0 || digit > 9) {
                return -2;
            }
            number = number * 10 + digit;
        }
        return number;
    }

    /**
     * @throws IllegalArgumentException when the field cannot be written, because it would end where it should not
     */
    @Override
    public void add(String name, String value) {
        FieldLine.check(name, value);
        append(name, value, null, FieldNames.lower(name).hashCode());
    }

    @Override
    public void add(FieldLine line) {
        append(line.name(), line.value(), line, line.hash());
    }

    private void append(String name, String value, @Nullable FieldLine line, int hash) {
        if (added == names.length) {
            names = Arrays.copyOf(names, added * 2);
            values = Arrays.copyOf(values, added * 2);
            lines = Arrays.copyOf(lines, added * 2);
        }
        names[added] = name;
        values[added] = value;
        lines[added] = line;
        added++;
        seen |= FieldNames.bit(hash);
    }

    @Override
    public void remove(String name) {
        String key = FieldNames.lower(name);
        int hash = key.hashCode();
        if (!maySee(hash)) {
            return;
        }
        for (int i = find(key, hash, 0); i >= 0; i = find(key, hash, i + 1)) {
            drop(i);
        }
        for (int i = findAdded(key, 0); i >= 0; i = findAdded(key, i)) {
            dropAdded(i);
        }
    }

    @Override
    public void removeAll(FieldNames unwanted) {
        if ((seen & unwanted.bits()) == 0) {
            return;
        }
        for (int i = 0; i < count; i++) {
            if ((FieldNames.bit(table[i * WIDTH + 5]) & unwanted.bits()) != 0 && isThere(i) && isOneOf(i, unwanted)) {
                drop(i);
            }
        }
        if (added > 0) {
            unwanted.all().forEach(this::remove);
        }
    }

    private boolean isOneOf(int index, FieldNames wanted) {
        List<String> all = wanted.all();
        int at = index * WIDTH;
        for (int i = 0; i < all.size(); i++) {
            String name = all.get(i);
            if (name.hashCode() == table[at + 5] && isNamed(at, name)) {
                return true;
            }
        }
        return false;
    }

    private void dropAdded(int index) {
        int after = added - index - 1;
        System.arraycopy(names, index + 1, names, index, after);
        System.arraycopy(values, index + 1, values, index, after);
        System.arraycopy(lines, index + 1, lines, index, after);
        added--;
    }

    /** The line stays where it is, and is known to be gone by its start. */
    private void drop(int index) {
        table[index * WIDTH] = -1;
        removed++;
    }

    private boolean isThere(int index) {
        return table[index * WIDTH] >= 0;
    }

    @Override
    public void removeIf(Predicate<String> test) {
        for (int i = 0; i < count; i++) {
            if (isThere(i) && test.test(name(i))) {
                drop(i);
            }
        }
        for (int i = added - 1; i >= 0; i--) {
            if (test.test(names[i])) {
                dropAdded(i);
            }
        }
    }

    @Override
    public void forEach(BiConsumer<String, String> action) {
        for (int i = 0; i < count; i++) {
            if (isThere(i)) {
                action.accept(name(i), value(i));
            }
        }
        for (int i = 0; i < added; i++) {
            action.accept(names[i], values[i]);
        }
    }

    /** Writes every field with its line end; lines that nobody changed in one copy for all that are neighbours. */
    void write(HeadBuffer out) {
        int i = 0;
        while (i < count) {
            if (!isThere(i)) {
                i++;
                continue;
            }
            int start = table[i * WIDTH];
            int end = table[i * WIDTH + 1];
            i++;
            while (i < count && isThere(i)) {
                end = table[i * WIDTH + 1];
                i++;
            }
            out.put(octets, start, end - start);
        }
        for (int j = 0; j < added; j++) {
            FieldLine line = lines[j];
            if (line != null) {
                out.put(line.octets());
            } else {
                out.field(names[j], values[j]);
            }
        }
    }
}
