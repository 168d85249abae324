package io.sigma.dataplane.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;

final class FieldNamesTest {

    @Test
    void namesAreInLowerCaseHoweverOftenTheyCome() {
        for (int times = 0; times < 3; times++) {
            assertThat(FieldNames.lower("X-Forwarded-For")).isEqualTo("x-forwarded-for");
            assertThat(FieldNames.lower("x-forwarded-for")).isEqualTo("x-forwarded-for");
            assertThat(FieldNames.lower("")).isEmpty();
        }
    }

    @Test
    void namesOfOneSlotAreToldApart() {
        // Of one hash, so that only one of them can be remembered.
        assertThat("bb").hasSameHashCodeAs("cC");
        for (int times = 0; times < 3; times++) {
            assertThat(FieldNames.lower("bb")).isEqualTo("bb");
            assertThat(FieldNames.lower("cC")).isEqualTo("cc");
        }
    }

    @Test
    void moreNamesThanAreRememberedAreStillInLowerCase() {
        for (int i = 0; i < 5_000; i++) {
            String name = "X-" + i;
            assertThat(FieldNames.lower(name)).isEqualTo(name.toLowerCase(Locale.ROOT));
            assertThat(FieldNames.lower(name.toLowerCase(Locale.ROOT))).isEqualTo(name.toLowerCase(Locale.ROOT));
        }
    }
}
