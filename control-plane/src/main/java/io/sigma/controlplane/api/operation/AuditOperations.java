package io.sigma.controlplane.api.operation;

import io.sigma.controlplane.api.request.Answer;
import io.sigma.controlplane.api.request.ApiCall;
import io.sigma.controlplane.api.request.Cursors;
import io.sigma.controlplane.api.request.OperationHandler;
import io.sigma.controlplane.api.request.Parameters;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.store.AuditFilter;
import io.sigma.controlplane.store.AuditLog;
import io.sigma.controlplane.store.database.Page;
import io.sigma.json.Json;
import io.sigma.model.AuditKind;
import io.sigma.model.AuditList;
import io.sigma.model.AuditOutcome;
import io.sigma.model.AuditRecord;
import io.vertx.core.buffer.Buffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The audit log, for admins. */
final class AuditOperations {

    private static final String CSV_HEAD = "seq,at,who,address,action,outcome,status,revision,entities,detail,hash\r\n";

    private final AuditLog audit;

    AuditOperations(AuditLog audit) {
        this.audit = audit;
    }

    /** Adds the handlers by operation id. */
    void addTo(Map<String, OperationHandler> handlers) {
        handlers.put("listAuditRecords", this::list);
        handlers.put("exportAuditRecords", this::export);
        handlers.put("verifyAuditLog", this::verify);
    }

    private Answer list(ApiCall call) {
        Page<Long, AuditRecord> page = audit.page(
                filter(call.parameters()),
                Cursors.number(call.parameters().get("cursor")),
                call.parameters().limit());
        return Answer.ok(new AuditList(page.items(), Cursors.of(page.last())));
    }

    private Answer export(ApiCall call) {
        AuditFilter filter = filter(call.parameters());
        boolean csv = "csv".equals(call.parameters().get("format"));
        Answer.Streamed body = csv
                ? sink -> {
                    sink.accept(Buffer.buffer(CSV_HEAD));
                    audit.each(filter, some -> sink.accept(lines(some, AuditOperations::csv)));
                }
                : sink -> audit.each(filter, some -> sink.accept(lines(some, one -> Json.text(one) + "\n")));
        return Answer.ok(body)
                .with("Content-Type", csv ? "text/csv; charset=utf-8; header=present" : "application/x-ndjson")
                .with("Content-Disposition", "attachment; filename=\"sigma-audit." + (csv ? "csv" : "ndjson") + "\"");
    }

    private static Buffer lines(List<AuditRecord> some, Function<AuditRecord, String> line) {
        return Buffer.buffer(some.stream().map(line).collect(Collectors.joining()));
    }

    private static String csv(AuditRecord one) {
        return Stream.of(
                        one.seq(),
                        one.at(),
                        one.who(),
                        one.address(),
                        one.action(),
                        one.outcome(),
                        one.status(),
                        one.revision() == null ? "" : one.revision(),
                        String.join(" ", one.entities()),
                        one.detail() == null ? "" : one.detail(),
                        one.hash())
                .map(field -> quoted(String.valueOf(field)))
                .collect(Collectors.joining(",", "", "\r\n"));
    }

    /** RFC 4180; and what a spreadsheet would take for a formula begins with an apostrophe. */
    private static String quoted(String field) {
        String safe = field.isEmpty() || "=+-@\t\r".indexOf(field.charAt(0)) < 0 ? field : "'" + field;
        return safe.matches("[^\",\r\n]*") ? safe : "\"" + safe.replace("\"", "\"\"") + "\"";
    }

    private Answer verify(ApiCall call) {
        String seq = call.parameters().get("seq");
        String hash = call.parameters().get("hash");
        if ((seq == null) != (hash == null)) {
            throw new FailureException(
                    new Failure.BadRequest("seq, hash: only one of the two (expected: both or none)"));
        }
        return Answer.ok(audit.verify(seq == null ? null : Long.valueOf(seq), hash));
    }

    private static AuditFilter filter(Parameters parameters) {
        String outcome = parameters.get("outcome");
        String kind = parameters.get("kind");
        return new AuditFilter(
                parameters.get("who"),
                parameters.get("action"),
                outcome == null ? null : AuditOutcome.valueOf(outcome),
                kind == null ? null : AuditKind.valueOf(kind),
                parameters.get("id"),
                moment(parameters, "from"),
                moment(parameters, "to"));
    }

    private static @Nullable Instant moment(Parameters parameters, String name) {
        String text = parameters.get(name);
        try {
            return text == null ? null : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw new FailureException(new Failure.BadRequest(
                    name + ": \"" + text + "\" (expected: a time such as 2026-01-31T08:00:00Z)"));
        }
    }
}
