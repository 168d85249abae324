package io.sigma.e2e.chaos;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** All attacks. */
final class Attacks {

    private static final List<Attack> ALL = Stream.of(
                    BodyAttacks.all(),
                    ReaderAttacks.all(),
                    ConnectionAttacks.all(),
                    HeadAttacks.all(),
                    Http2Floods.all(),
                    TlsAttacks.all(),
                    NodeAttacks.all())
            .flatMap(List::stream)
            .toList();

    private Attacks() {}

    static List<Attack> all() {
        return ALL;
    }

    /**
     * Returns the attacks whose names are given, apart by spaces; all when there are none.
     *
     * @throws IllegalArgumentException for a name that no attack has
     */
    static List<Attack> named(String names) {
        return names.isBlank()
                ? ALL
                : Arrays.stream(names.strip().split("\\s+")).map(Attacks::only).toList();
    }

    private static Attack only(String name) {
        return ALL.stream()
                .filter(attack -> attack.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("\"" + name + "\" (expected: one of "
                        + ALL.stream().map(Attack::name).toList() + ")"));
    }
}
