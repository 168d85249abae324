package io.sigma.dataplane.discovery.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.dns.DefaultDnsRawRecord;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.codec.dns.DnsRecordType;
import io.sigma.dataplane.testkit.TestDns;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DnsAnswersTest {

    private static List<String> hosts(String target) {
        byte[] content = TestDns.Entry.service(0, 1, 8080, target, 60).content();
        DnsRecord record = new DefaultDnsRawRecord("a.test.", DnsRecordType.SRV, 60, Unpooled.wrappedBuffer(content));
        return DnsAnswers.targets(List.of(record), DnsRecordType.SRV).stream()
                .map(DnsAnswers.Target::host)
                .toList();
    }

    @Test
    void targetsOfServicesAreHosts() {
        assertThat(hosts("My_Node.shop.test")).containsExactly("my_node.shop.test");
        assertThat(hosts("10.0.0.1")).containsExactly("10.0.0.1");
    }

    /** A label may be any octets (RFC 2181 §11). */
    @ParameterizedTest
    @ValueSource(
            strings = {"a\r\nx-made-up: 1", "a b.test", "a/b", "user@a.test", "a:80", "a\n2026 INFO", "0x7f.1", "127.1"
            })
    void namesThatNoUrlMayHaveAreNoTargets(String target) {
        assertThat(hosts(target)).isEmpty();
    }
}
