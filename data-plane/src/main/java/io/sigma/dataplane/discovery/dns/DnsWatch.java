package io.sigma.dataplane.discovery.dns;

import io.netty.channel.EventLoop;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.util.concurrent.Future;
import io.sigma.dataplane.discovery.DiscoveredNode;
import io.sigma.dataplane.discovery.Discovery;
import io.sigma.dataplane.engine.NameAnswers;
import io.sigma.dataplane.loop.LogLines;
import io.sigma.model.DnsRecords;
import io.sigma.model.NodeDiscovery;
import io.sigma.value.NodeUrl;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks for one name again and again. Confined to its event loop, but for closing. */
final class DnsWatch implements Discovery.Watch {

    private static final Logger LOG = LoggerFactory.getLogger(DnsWatch.class);

    /**
     * Each new node has pools, states and reports. A name whose answers change all the time causes no more than 200 of
     * them a second.
     */
    private static final long ADDED_MILLIS = 5;

    /** As many new nodes as an upstream may have. */
    private static final long ADDED_MILLIS_MAX = 1024 * ADDED_MILLIS;

    private final NodeDiscovery settings;
    private final NodeUrl url;
    private final String name;
    private final DnsNameResolver resolver;
    private final EventLoop loop;
    private final Consumer<List<DiscoveredNode>> found;
    private final LogLines lines;
    private volatile boolean closed;

    private @Nullable Set<DiscoveredNode> told;
    private final Question[] questions;
    private int failures;

    /** A type of record, and its last answer. */
    private static final class Question {
        private final DnsRecordType type;
        private List<DnsAnswers.Target> targets = List.of();

        private Question(DnsRecordType type) {
            this.type = type;
        }
    }

    /**
     * @param lines of the log, of all names
     */
    DnsWatch(
            NodeDiscovery settings,
            DnsNameResolver resolver,
            EventLoop loop,
            Consumer<List<DiscoveredNode>> found,
            LogLines lines) {
        this.settings = settings;
        this.url = NodeUrl.parse(Objects.requireNonNull(settings.url()));
        this.name = name(settings, url);
        this.resolver = resolver;
        this.loop = loop;
        this.found = found;
        this.lines = lines;
        this.questions = settings.records() == DnsRecords.SRV
                ? new Question[] {new Question(DnsRecordType.SRV)}
                : new Question[] {new Question(DnsRecordType.A), new Question(DnsRecordType.AAAA)};
    }

    private static String name(NodeDiscovery settings, NodeUrl url) {
        String name = settings.name();
        if (name != null) {
            return name;
        }
        String service = url.tls() ? "_https._tcp." : "_http._tcp.";
        return settings.records() == DnsRecords.SRV ? service + url.host() : url.host();
    }

    void start() {
        loop.execute(this::ask);
    }

    private void ask() {
        if (!closed) {
            new Round().begin();
        }
    }

    /** A question for each type of record, and the answers. */
    private final class Round {

        private int open = questions.length;
        private int answered;
        private long ttlSeconds = Long.MAX_VALUE;
        private @Nullable Throwable failure;

        void begin() {
            for (Question question : questions) {
                try {
                    resolver.resolveAll(DnsAnswers.question(name, question.type))
                            .addListener((Future<List<DnsRecord>> answer) -> over(question, answer));
                } catch (RuntimeException | Error e) {
                    // A question that could not be sent has no answer, like others: the round ends, and the next one
                    // begins.
                    over(question, loop.newFailedFuture(e));
                }
            }
        }

        private void over(Question question, Future<List<DnsRecord>> answer) {
            try {
                take(question, answer);
            } catch (RuntimeException | Error e) {
                // An answer that cannot be read is none. The round goes on: the name is to be asked for again.
                failure = e;
            }
            if (--open == 0) {
                complete();
            }
        }

        private void take(Question question, Future<List<DnsRecord>> answer) {
            List<DnsAnswers.Target> targets = List.of();
            if (answer.isSuccess()) {
                List<DnsRecord> records = answer.getNow();
                try {
                    targets = DnsAnswers.targets(records, question.type);
                } finally {
                    DnsAnswers.release(records);
                }
                if (!targets.isEmpty()) {
                    ttlSeconds = Math.min(ttlSeconds, DnsAnswers.ttlSeconds(records));
                }
            } else {
                failure = answer.cause();
            }
            if (!targets.isEmpty()) {
                answered++;
                question.targets = targets;
            } else if (answer.isSuccess() || NameAnswers.saysThereIsNone(answer.cause())) {
                // Forgotten only if the other type has an answer: else the name is gone, and the last known nodes stay.
                question.targets = questions.length > 1 && anotherHas(question) ? List.of() : question.targets;
            }
        }

        private boolean anotherHas(Question question) {
            for (Question other : questions) {
                if (other != question && !other.targets.isEmpty()) {
                    return true;
                }
            }
            return false;
        }

        private void complete() {
            if (closed) {
                return;
            }
            if (answered == 0) {
                failures++;
                String reason = failure == null ? "no records" : failure.toString();
                lines.write(leftOut ->
                        LOG.warn("No answer for {}; the last known nodes stay: {}{}", name, reason, leftOut));
                again(settings.refreshMillisMin() * (1L << Math.min(failures - 1, 16)), 0);
                return;
            }
            failures = 0;
            again(TimeUnit.SECONDS.toMillis(Math.min(ttlSeconds, Integer.MAX_VALUE)), tell());
        }

        private void again(long millis, int added) {
            long wait = Math.clamp(millis, settings.refreshMillisMin(), settings.refreshMillisMax());
            long pause = Math.min((long) added * ADDED_MILLIS, ADDED_MILLIS_MAX);
            loop.schedule(DnsWatch.this::ask, Math.max(wait, pause), TimeUnit.MILLISECONDS);
        }
    }

    /** Returns how many nodes were not there before; 0 for the first answer. */
    private int tell() {
        try {
            List<DnsAnswers.Target> targets = new ArrayList<>();
            for (Question question : questions) {
                targets.addAll(question.targets);
            }
            List<DiscoveredNode> nodes = DnsAnswers.nodes(targets, url);
            // Servers turn the order of records around; that changes nothing.
            Set<DiscoveredNode> set = new HashSet<>(nodes);
            Set<DiscoveredNode> before = told;
            if (set.equals(before)) {
                return 0;
            }
            found.accept(nodes);
            // Only then: what could not be taken over is handed over again with the next answer.
            told = set;
            if (before == null) {
                return 0;
            }
            return (int) set.stream().filter(node -> !before.contains(node)).count();
        } catch (Throwable e) {
            // Not RuntimeException alone: the name is to be asked for again whatever this was.
            lines.write(leftOut ->
                    LOG.error("The nodes of {} could not be used; the gateway tries again{}", name, leftOut, e));
            return 0;
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
