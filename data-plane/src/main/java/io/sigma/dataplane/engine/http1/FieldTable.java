package io.sigma.dataplane.engine.http1;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.exchange.Fields;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a head where they lie, and the edits made since. Looking at a field compares hashes; a text is made only of
 * what somebody asks for. What nobody changed is written as it came, in as few copies as there are gaps. One table serves all
 * heads of a connection, one after the other. Confined to the event loop.
 */
final class FieldTable implements Fields {

    private static final int FIELDS_INITIAL = 32;
    /** Ints that a field takes: where its line begins, ends, its name ends, its value begins and ends, and its hash. */
    private static final int WIDTH = 6;

    private byte[] octets = new byte[0];
    private int[] table = new int[FIELDS_INITIAL * WIDTH];
    private int count;
    private int removed;
    private boolean underscored;
    private final List<String> added = new ArrayList<>();
    /** A bit for each hash that was seen: most questions are about fields that are not there. */
    private long seen;

    /** Forgets everything; fields that follow lie in {@code head}. */
    void reset(byte[] head) {
        octets = head;
        count = 0;
        removed = 0;
        underscored = false;
        seen = 0;
        added.clear();
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
        return count - removed + added.size() / 2;
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
        seen |= bit(hash);
    }

    private static long bit(int hash) {
        return 1L << (hash ^ hash >>> 6 ^ hash >>> 12);
    }

    /** Returns the name in lower case, by whose hash fields are found; most callers have it so already. */
    private static String lower(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c >= 'A' && c <= 'Z') {
                return name.toLowerCase(Locale.ROOT);
            }
        }
        return name;
    }

    private boolean maySee(int hash) {
        return (seen & bit(hash)) != 0;
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
        return new String(octets, table[at + 3], table[at + 4] - table[at + 3], StandardCharsets.ISO_8859_1);
    }

    private String name(int index) {
        int at = index * WIDTH;
        return new String(octets, table[at], table[at + 2] - table[at], StandardCharsets.ISO_8859_1);
    }

    @Override
    public @Nullable String get(String name) {
        String key = lower(name);
        int hash = key.hashCode();
        if (!maySee(hash)) {
            return null;
        }
        int index = find(key, hash, 0);
        if (index >= 0) {
            return value(index);
        }
        for (int i = 0; i < added.size(); i += 2) {
            if (added.get(i).equalsIgnoreCase(key)) {
                return added.get(i + 1);
            }
        }
        return null;
    }

    @Override
    public List<String> all(String name) {
        String key = lower(name);
        int hash = key.hashCode();
        if (!maySee(hash)) {
            return List.of();
        }
        List<String> values = new ArrayList<>(2);
        for (int i = find(key, hash, 0); i >= 0; i = find(key, hash, i + 1)) {
            values.add(value(i));
        }
        for (int i = 0; i < added.size(); i += 2) {
            if (added.get(i).equalsIgnoreCase(key)) {
                values.add(added.get(i + 1));
            }
        }
        return values;
    }

    @Override
    public boolean contains(String name) {
        String key = lower(name);
        int hash = key.hashCode();
        if (!maySee(hash)) {
            return false;
        }
        boolean found = find(key, hash, 0) >= 0;
        for (int i = 0; !found && i < added.size(); i += 2) {
            found = added.get(i).equalsIgnoreCase(key);
        }
        return found;
    }

    @Override
    public void set(String name, String value) {
        remove(name);
        add(name, value);
    }

    /**
     * @throws IllegalArgumentException when the field cannot be written, because it would end where it should not
     */
    @Override
    public void add(String name, String value) {
        if (!isWritable(name, ':') || !isWritable(value, '\0')) {
            throw new IllegalArgumentException("a field that cannot be written: " + name);
        }
        added.add(name);
        added.add(value);
        seen |= bit(lower(name).hashCode());
    }

    private static boolean isWritable(String text, char excluded) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7f || c > 0xff || c == excluded) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void remove(String name) {
        String key = lower(name);
        int hash = key.hashCode();
        if (!maySee(hash)) {
            return;
        }
        for (int i = find(key, hash, 0); i >= 0; i = find(key, hash, i + 1)) {
            drop(i);
        }
        for (int i = added.size() - 2; i >= 0; i -= 2) {
            if (added.get(i).equalsIgnoreCase(key)) {
                added.remove(i + 1);
                added.remove(i);
            }
        }
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
        for (int i = added.size() - 2; i >= 0; i -= 2) {
            if (test.test(added.get(i))) {
                added.remove(i + 1);
                added.remove(i);
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
        for (int i = 0; i < added.size(); i += 2) {
            action.accept(added.get(i), added.get(i + 1));
        }
    }

    /** Returns an upper bound of what {@link #write} writes, in octets. */
    int lengthMax() {
        int length = count == 0 ? 0 : table[(count - 1) * WIDTH + 1];
        for (int i = 0; i < added.size(); i++) {
            length += added.get(i).length() + 2;
        }
        return length;
    }

    /** Writes every field with its line end; lines that nobody changed in one copy for all that are neighbours. */
    void write(ByteBuf out) {
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
            out.writeBytes(octets, start, end - start);
        }
        for (int j = 0; j < added.size(); j += 2) {
            writeField(out, added.get(j), added.get(j + 1));
        }
    }

    /** Writes one field with its line end. */
    static void writeField(ByteBuf out, String name, String value) {
        out.writeCharSequence(name, StandardCharsets.ISO_8859_1);
        out.writeShort(':' << 8 | ' ');
        out.writeCharSequence(value, StandardCharsets.ISO_8859_1);
        out.writeShort('\r' << 8 | '\n');
    }
}
