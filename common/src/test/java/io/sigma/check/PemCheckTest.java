package io.sigma.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sigma.model.Certificate;
import io.sigma.model.FieldError;
import org.junit.jupiter.api.Test;

final class PemCheckTest {

    private static final String RSA_512 = """
            -----BEGIN CERTIFICATE-----
            MIIBgTCCASugAwIBAgIUQUoOjfGTkQLPQya0tiQZ7jfSBHwwDQYJKoZIhvcNAQEL
            BQAwFDESMBAGA1UEAwwJYS5leGFtcGxlMCAXDTI2MTEyNzE1MTkxMFoYDzIxMjYx
            MTAzMTUxOTEwWjAUMRIwEAYDVQQDDAlhLmV4YW1wbGUwXDANBgkqhkiG9w0BAQEF
            AANLADBIAkEAq93Y+HOAB46L17bsRTjIiQkK/hUnYvhCAMKSZi50Pzk56RX9kk2j
            Kfz8YPcTq6wQ4IKvKVeGWZnz8NCyrHrpVQIDAQABo1MwUTAdBgNVHQ4EFgQUqvXS
            AtWph0+QA0nyc2EmnYLaNC0wHwYDVR0jBBgwFoAUqvXSAtWph0+QA0nyc2EmnYLa
            NC0wDwYDVR0TAQH/BAUwAwEB/zANBgkqhkiG9w0BAQsFAANBAFNdpnVbhp92SqQY
            komtSE7BDY+2hskup22US6KpzZzRGjE7CVqNOQ1++V6NhhfjvMmFfVpVCgfurG6V
            Zh/qd3I=
            -----END CERTIFICATE-----
            """;

    private static final String RSA_1024 = """
            -----BEGIN CERTIFICATE-----
            MIICBjCCAW+gAwIBAgIUVAowuNmlOasI81e6mq4Ri990UGswDQYJKoZIhvcNAQEL
            BQAwFDESMBAGA1UEAwwJYS5leGFtcGxlMCAXDTI2MTEyNzE1MTkxMFoYDzIxMjYx
            MTAzMTUxOTEwWjAUMRIwEAYDVQQDDAlhLmV4YW1wbGUwgZ8wDQYJKoZIhvcNAQEB
            BQADgY0AMIGJAoGBAM2ymh0tnsZ7obc8xMHjuO7cjJ/6WztqSspfH+AxDrUN5T+P
            PAghwfrwuUH9puoTC0oVDgAzubDhlIa4ay/O/FysNXUyT6iQXyGc95Q6T0ePnqYk
            koQ+uh8XtgBHOgvRstG1v0FQln28K3bGWHNld86cQ++LdNguGH04jwOW7QJHAgMB
            AAGjUzBRMB0GA1UdDgQWBBSJv4GJ/TjynqH359Lzb4QcRGzRDjAfBgNVHSMEGDAW
            gBSJv4GJ/TjynqH359Lzb4QcRGzRDjAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3
            DQEBCwUAA4GBABU995XinJV0EMNVE3QO1c0wkpjZtMHmyodJT06n77DiG5H0QO5M
            mAoCuOf/aI2lzHglThWYxWOkIhu8ffwp8G9BhFNJX3p254B/ZyveOBQRTCCRPW4c
            h5zek49YMh9OfJ3R1G2qISmnsc4921x9VSzRKs9LG/9LJRY2SuHX5In3
            -----END CERTIFICATE-----
            """;

    @Test
    void aKeyThatNoClientShakesHandsWithIsRefused() {
        assertThat(PemCheck.check(Certificate.builder().id("a").chain(RSA_512).build()))
                .extracting(FieldError::pointer, FieldError::detail)
                .containsExactly(tuple("/chain", "an RSA key of 512 bits (expected: at least 1024 bits)"));
        assertThat(PemCheck.check(Certificate.builder().id("a").chain(RSA_1024).build()))
                .isEmpty();
    }
}
