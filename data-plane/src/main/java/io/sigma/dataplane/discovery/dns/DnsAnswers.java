package io.sigma.dataplane.discovery.dns;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.dns.DefaultDnsQuestion;
import io.netty.handler.codec.dns.DefaultDnsRecordDecoder;
import io.netty.handler.codec.dns.DnsQuestion;
import io.netty.handler.codec.dns.DnsRawRecord;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.util.ReferenceCountUtil;
import io.sigma.dataplane.discovery.DiscoveredNode;
import io.sigma.value.Addresses;
import io.sigma.value.HostPattern;
import io.sigma.value.NodeUrl;
import io.sigma.value.UrlAuthority;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads what DNS servers answer. */
final class DnsAnswers {

    private static final int SRV_BYTES_MIN = 7;

    private DnsAnswers() {}

    /**
     * Where a record leads.
     *
     * @param port 0 where the record has none
     */
    record Target(String host, int port, int priority, int weight) {}

    /** A name is absolute, so that no search domain is tried. */
    static DnsQuestion question(String name, DnsRecordType type) {
        return new DefaultDnsQuestion(name.endsWith(".") ? name : name + ".", type);
    }

    static List<Target> targets(List<DnsRecord> records, DnsRecordType type) {
        List<Target> targets = new ArrayList<>();
        for (DnsRecord record : records) {
            if (record instanceof DnsRawRecord raw && record.type().equals(type)) {
                Target target =
                        type.equals(DnsRecordType.SRV) ? service(raw.content().duplicate()) : address(raw.content());
                if (target != null) {
                    targets.add(target);
                }
            }
        }
        return targets;
    }

    private static @Nullable Target address(ByteBuf content) {
        try {
            InetAddress address = InetAddress.getByAddress(ByteBufUtil.getBytes(content));
            return new Target(Addresses.text(address), 0, 0, 1);
        } catch (UnknownHostException e) {
            return null;
        }
    }

    /**
     * Returns the target of an SRV record (RFC 2782); null for the root, which says that there is no such service, and
     * for a name that no URL may have: a label may be any octets, and the name gets into heads and logs.
     */
    private static @Nullable Target service(ByteBuf content) {
        if (content.readableBytes() < SRV_BYTES_MIN) {
            return null;
        }
        int priority = content.readUnsignedShort();
        int weight = content.readUnsignedShort();
        int port = content.readUnsignedShort();
        String host = HostPattern.normalise(DefaultDnsRecordDecoder.decodeName(content));
        return port == 0 || !UrlAuthority.isHost(host) ? null : new Target(host, port, priority, weight);
    }

    static long ttlSeconds(List<DnsRecord> records) {
        return records.stream().mapToLong(DnsRecord::timeToLive).min().orElse(0);
    }

    static void release(List<DnsRecord> records) {
        records.forEach(ReferenceCountUtil::release);
    }

    /** Returns the nodes, in an order that does not depend on that of the records. */
    static List<DiscoveredNode> nodes(List<Target> targets, NodeUrl url) {
        List<Integer> priorities =
                List.copyOf(new TreeSet<>(targets.stream().map(Target::priority).toList()));
        return targets.stream()
                .map(target -> new DiscoveredNode(
                        new NodeUrl(
                                url.tls(),
                                target.host(),
                                target.port() == 0 ? url.port() : target.port(),
                                url.pathPrefix()),
                        // A weight of 0 has a small chance, not none (RFC 2782).
                        Math.max(1, target.weight()),
                        priorities.indexOf(target.priority()),
                        Map.of()))
                .sorted(Comparator.comparing(node -> node.url().text()))
                .toList();
    }
}
