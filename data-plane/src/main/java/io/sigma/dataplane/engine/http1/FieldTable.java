package io.sigma.dataplane.engine.http1;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.FieldLine;
import io.sigma.dataplane.exchange.FieldNames;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.InvalidRequest;
import io.sigma.dataplane.loop.Prefetched;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a head where they lie, and the edits made since. Looking at a field compares hashes; a text is made
 * only of what somebody asks for. What nobody changed is written as it came, in as few copies as there are gaps. One
 * table serves all heads of a connection, one after the other. Confined to the event loop.
 */
final class FieldTable extends ParsedFields implements Fields, Prefetched {

    private static final int ADDED_INITIAL = 8;

    // Fields that were added: names, values, and lines where they are encoded already.
    private String[] names = new String[ADDED_INITIAL];
    private String[] values = new String[ADDED_INITIAL];
    private @Nullable FieldLine[] lines = new @Nullable FieldLine[ADDED_INITIAL];
    private int added;

    FieldTable(Texts texts) {
        super(texts);
    }

    @Override
    public int prefetch(int distance) {
        return switch (distance) {
            case 0 -> added;
            case 1 ->
                prefetchTable() + (names[0] == null ? 1 : 0) + (values[0] == null ? 1 : 0) + (lines[0] == null ? 1 : 0);
            default -> 0;
        };
    }

    @Override
    void reset(boolean comparable) {
        super.reset(comparable);
        added = 0;
    }

    @Override
    public int size() {
        return left() + added;
    }

    @Override
    public boolean mayHaveOddNames() {
        return isUnderscored();
    }

    @Override
    public boolean mayHaveForwarding() {
        return isForwarding();
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
    public @Nullable String only(String name) {
        String key = FieldNames.lower(name);
        int hash = key.hashCode();
        if (!maySee(hash)) {
            return null;
        }
        int index = find(key, hash, 0);
        int other = findAdded(key, 0);
        boolean more = index >= 0
                ? other >= 0 || find(key, hash, index + 1) >= 0
                : other >= 0 && findAdded(key, other + 1) >= 0;
        if (more) {
            throw new InvalidRequest(ErrorKind.BAD_REQUEST, name);
        }
        return index >= 0 ? value(index) : other < 0 ? null : values[other];
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
    public boolean contains(String name, String text) {
        String key = FieldNames.lower(name);
        int hash = key.hashCode();
        if (!maySee(hash)) {
            return false;
        }
        for (int i = find(key, hash, 0); i >= 0; i = find(key, hash, i + 1)) {
            if (valueContains(i, text)) {
                return true;
            }
        }
        for (int i = findAdded(key, 0); i >= 0; i = findAdded(key, i + 1)) {
            if (values[i].contains(text)) {
                return true;
            }
        }
        return false;
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
     * Returns the number that the one field of that name has as its value; -1 when there is no such field, -2 when it
     * is not a number of at most {@code digitsMax} digits, or not the only one.
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
        return number(index, digitsMax);
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

    @SuppressWarnings("ReferenceEquality")
    private void append(String name, String value, @Nullable FieldLine line, int hash) {
        if (added == names.length) {
            names = Arrays.copyOf(names, added * 2);
            values = Arrays.copyOf(values, added * 2);
            lines = Arrays.copyOf(lines, added * 2);
        }
        // Most heads get the same fields; a reference is stored only where it is another one, because each store costs
        // a fence of the collector.
        if (names[added] != name) {
            names[added] = name;
        }
        if (values[added] != value) {
            values[added] = value;
        }
        if (lines[added] != line) {
            lines[added] = line;
        }
        added++;
        sees(hash);
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
        if (!maySee(unwanted)) {
            return;
        }
        for (int i = 0; i < parsed(); i++) {
            if (isThere(i) && isOneOf(i, unwanted)) {
                drop(i);
            }
        }
        if (added > 0) {
            unwanted.all().forEach(this::remove);
        }
    }

    private void dropAdded(int index) {
        int after = added - index - 1;
        System.arraycopy(names, index + 1, names, index, after);
        System.arraycopy(values, index + 1, values, index, after);
        System.arraycopy(lines, index + 1, lines, index, after);
        added--;
    }

    @Override
    public void removeIf(Predicate<String> test) {
        for (int i = 0; i < parsed(); i++) {
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
        for (int i = 0; i < parsed(); i++) {
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
        writeLeft(out);
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
