package io.sigma.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.model.FieldError;
import io.sigma.model.FieldErrorCode;
import io.sigma.model.FieldErrorValues;
import io.sigma.model.Kind;
import io.sigma.model.ProxyServer;
import io.sigma.value.Mismatch;
import org.junit.jupiter.api.Test;

class FaultsTest {

    @Test
    void aTextOfTheProjectsFormHasItsValues() {
        FieldError error = Faults.of("/host", Mismatch.quoted("a b", "an IP address (or a host name)"));
        assertThat(error.code()).isEqualTo(FieldErrorCode.INVALID);
        assertThat(error.detail()).isEqualTo("\"a b\" (expected: an IP address (or a host name))");
        assertThat(error.values())
                .isEqualTo(FieldErrorValues.builder()
                        .given("a b")
                        .expected("an IP address (or a host name)")
                        .build());
    }

    @Test
    void aTextThatIsReceivedHasTheSameValues() {
        FieldError made = Faults.of("/host", Mismatch.quoted("a b", "an IP address (or a host name)"));
        assertThat(Faults.received("/host", made.detail())).isEqualTo(made);
    }

    @Test
    void aValueThatLooksLikeTheFormIsKeptWhole() {
        FieldErrorValues values = ResourceCheck.check(ProxyServer.builder()
                        .id("a")
                        .host("x (expected: y)")
                        .port(80)
                        .build())
                .getFirst()
                .values();
        assertThat(values)
                .isEqualTo(FieldErrorValues.builder()
                        .given("x (expected: y)")
                        .expected("an IP address or a host name")
                        .build());
    }

    @Test
    void whatIsAbsentAndWhatIsNotWantedHaveCodesOfTheirOwn() {
        assertThat(Faults.of("/tls", Mismatch.absent("certificates")).code()).isEqualTo(FieldErrorCode.REQUIRED);
        assertThat(Faults.of("/tls", Mismatch.present("only with HTTPS")).code())
                .isEqualTo(FieldErrorCode.NOT_APPLICABLE);
    }

    @Test
    void aTextOfAnotherFormIsKeptWithoutValues() {
        FieldError error = Faults.received("", "more than 5 resources differ");
        assertThat(error).isEqualTo(new FieldError("", "more than 5 resources differ", FieldErrorCode.INVALID, null));
    }

    @Test
    void aSecretIsNoValue() {
        FieldErrorValues values = Faults.of("/privateKey", Mismatch.of("[redacted]", "a PEM private key"))
                .values();
        assertThat(values)
                .isEqualTo(
                        FieldErrorValues.builder().expected("a PEM private key").build());
    }

    @Test
    void aRefusalOfAGatewayNamesItAndWhatItSays() {
        FieldError error = Faults.refusedByGateway("/path", "edge", "\"/x\" (expected: a file)");
        assertThat(error.detail()).isEqualTo("gateway edge: \"/x\" (expected: a file)");
        assertThat(error.code()).isEqualTo(FieldErrorCode.REFUSED_BY_GATEWAY);
        assertThat(error.values())
                .isEqualTo(FieldErrorValues.builder()
                        .given("/x")
                        .expected("a file")
                        .gateway("edge")
                        .build());
    }

    @Test
    void movingAnErrorKeepsItsCodeAndItsValues() {
        FieldError missing = Faults.unknownReference("/upstreamId", "u", Kind.UPSTREAM, "upstream");
        FieldError moved = Faults.at("/proxyPasses/p/upstreamId", missing);
        assertThat(moved.pointer()).isEqualTo("/proxyPasses/p/upstreamId");
        assertThat(moved.code()).isEqualTo(FieldErrorCode.UNKNOWN_REFERENCE);
        assertThat(moved.values()).isEqualTo(missing.values());
        assertThat(moved.detail()).isEqualTo("\"u\" (expected: the id of an existing upstream)");
    }
}
