package io.sigma.identity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SessionCookieTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sigma_session=x                          | ''",
                "sigma_session=x;                         | ''",
                "sigma_session=x; sigma_session=y         | ''",
                "sigma_session = x                        | ''",
                "sigma_session=                           | ''",
                "a=1; sigma_session=x                     | a=1",
                "a=1; __Host-sigma_session=x              | a=1",
                "__host-sigma_session=x; a=1              | a=1",
                "sigma_session=x; a=1                     | a=1",
                "a=1; sigma_session=x; b=\"2 \"; c=;d     | a=1; b=\"2 \"; c=;d",
                "a=1;sigma_session=x;b=2                  | a=1;b=2",
                "a=1; =sigma_session=x                    | a=1",
            })
    void isTakenOutAndOthersStayAsTheyAre(String line, String left) {
        assertThat(SessionCookie.without(line)).isEqualTo(left);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a=sigma_session",
                "a=1; my_sigma_session=x",
                "__Host-my_sigma_session=x",
                "sigma_session_2=x; b=2",
                "Sigma_Session=x",
                "sigma_session; b=2"
            })
    void cookieOfAnotherNameStays(String line) {
        assertThat(SessionCookie.without(line)).isEqualTo(line);
        assertThat(SessionCookie.isSetBy(line)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sigma_session=x",
                "sigma_session=x; Path=/api/v1",
                " sigma_session\t=; Max-Age=0",
                "__Host-sigma_session=x; Path=/; Secure",
                "=sigma_session=x",
                "= sigma_session=x"
            })
    void lineThatBrowsersReadAsThisCookieSetsIt(String line) {
        assertThat(SessionCookie.isSetBy(line)).isTrue();
    }

    @Test
    void attributeOfAnotherCookieSetsNothing() {
        assertThat(SessionCookie.isSetBy("a=1; sigma_session=x")).isFalse();
    }
}
