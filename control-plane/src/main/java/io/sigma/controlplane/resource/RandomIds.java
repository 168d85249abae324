package io.sigma.controlplane.resource;

import io.sigma.snapshot.ResourceType;
import java.util.random.RandomGenerator;

/** Picks ids that people can read aloud: {@code proxy-pass-7k2m9xbc}. */
final class RandomIds {

    /** Without vowels, so that no words arise, and without what is easily mistaken. */
    private static final String ALPHABET = "23456789bcdfghjkmnpqrstvwxz";

    private static final int LENGTH = 8;

    private final RandomGenerator random;

    RandomIds(RandomGenerator random) {
        this.random = random;
    }

    String next(ResourceType<?> type) {
        StringBuilder id = new StringBuilder(type.label().replace(' ', '-')).append('-');
        for (int i = 0; i < LENGTH; i++) {
            id.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return id.toString();
    }
}
