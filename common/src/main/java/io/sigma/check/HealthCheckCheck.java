package io.sigma.check;

import io.sigma.model.HealthCheck;
import io.sigma.model.HealthCheckType;
import io.sigma.value.Mismatch;
import io.sigma.value.Tokens;
import java.util.regex.Pattern;

/** Checks what is said of active health checks. */
final class HealthCheckCheck {

    private static final String AT = "healthCheck";
    private static final Pattern STATUS = Pattern.compile("[1-5]([0-9][0-9]|xx)");

    private HealthCheckCheck() {}

    static void check(Findings findings, HealthCheck check) {
        boolean http = check.type() == HealthCheckType.HTTP;
        findings.range(check.port(), 1, 65535, AT, "port");
        boolean path =
                check.path().startsWith("/") && check.path().chars().allMatch(c -> c > ' ' && c < 0x7f && c != '#');
        findings.require(path, Mismatch.quoted(check.path(), "a path that begins with /"), AT, "path");
        findings.require(
                Tokens.isToken(check.method()) && !check.method().equals("CONNECT"),
                Mismatch.quoted(check.method(), "a method as defined by RFC 9110, not CONNECT"),
                AT,
                "method");
        for (int i = 0; i < check.expectedStatuses().size(); i++) {
            String status = check.expectedStatuses().get(i);
            Mismatch detail = Mismatch.quoted(status, "a status such as 204, or a class such as 2xx");
            findings.require(STATUS.matcher(status).matches(), detail, AT, "expectedStatuses", i);
        }
        String host = check.host();
        boolean named = host == null || Locations.isAuthority(host);
        findings.require(named, Mismatch.quoted(host, "host[:port]"), AT, "host");
        Headers.checkRequestFields(findings.at(AT, "headers"), check.headers());
        onlyHttp(findings, http, !check.path().equals("/"), "path");
        onlyHttp(findings, http, !check.method().equals("GET"), "method");
        onlyHttp(findings, http, check.host() != null, "host");
        onlyHttp(findings, http, !check.headers().isEmpty(), "headers");
        onlyHttp(findings, http, !check.expectedStatuses().isEmpty(), "expectedStatuses");
        onlyHttp(findings, http, check.bodyContains() != null, "bodyContains");
        boolean grpc = check.type() == HealthCheckType.GRPC;
        findings.require(
                grpc || check.grpcService().isEmpty(), Mismatch.present("only with type GRPC"), AT, "grpcService");
        findings.range(check.intervalMillis(), 100, 3_600_000, AT, "intervalMillis");
        findings.range(check.jitterPercent(), 0, 100, AT, "jitterPercent");
        findings.range(check.timeoutMillis(), 10, 60_000, AT, "timeoutMillis");
        findings.range(check.rise(), 1, 100, AT, "rise");
        findings.range(check.fall(), 1, 100, AT, "fall");
    }

    private static void onlyHttp(Findings findings, boolean http, boolean present, String field) {
        findings.require(http || !present, Mismatch.present("only with type HTTP"), AT, field);
    }
}
