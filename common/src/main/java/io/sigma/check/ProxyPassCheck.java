package io.sigma.check;

import io.sigma.model.FixedResponse;
import io.sigma.model.ProxyPass;
import io.sigma.model.Redirect;
import io.sigma.model.Retry;
import io.sigma.model.Split;
import io.sigma.model.SplitTarget;
import io.sigma.model.StaticFiles;
import io.sigma.value.InvalidValue;
import io.sigma.value.LocationTemplate;
import io.sigma.value.MediaRange;
import io.sigma.value.Mismatch;
import io.sigma.value.NormalPath;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks what a proxy pass does; header edits and plugins are checked where those of other kinds are. */
final class ProxyPassCheck {

    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

    private ProxyPassCheck() {}

    static void check(Findings findings, ProxyPass pass) {
        action(findings, pass);
        split(findings, pass.split());
        prefix(findings, pass.stripPrefix(), "stripPrefix");
        prefix(findings, pass.addPrefix(), "addPrefix");
        if (pass.host() != null) {
            findings.require(Locations.isAuthority(pass.host()), Mismatch.quoted(pass.host(), "host[:port]"), "host");
        }
        redirect(findings, pass.redirect());
        files(findings, pass.staticFiles());
        findings.require(
                pass.mirror() == null || pass.upstreamId() != null || pass.split() != null,
                Mismatch.present("only together with upstreamId or split"),
                "mirror");
        FixedResponse fixed = pass.fixedResponse();
        if (fixed != null) {
            MadeStatus.check(findings, fixed.status(), "fixedResponse", "status");
            mediaType(findings, fixed.contentType());
        }
        retry(findings, pass);
    }

    private static void mediaType(Findings findings, String type) {
        Headers.checkValue(findings, type, "fixedResponse", "contentType");
        findings.parse(
                () -> {
                    if (MediaRange.parse(type).subtype().equals("*")) {
                        throw new InvalidValue(Mismatch.quoted(type, "a media type such as application/json"));
                    }
                },
                "fixedResponse",
                "contentType");
    }

    /** A proxy pass does exactly one thing. */
    private static void action(Findings findings, ProxyPass pass) {
        Map<String, @Nullable Object> actions = new LinkedHashMap<>();
        actions.put("upstreamId", pass.upstreamId());
        actions.put("split", pass.split());
        actions.put("redirect", pass.redirect());
        actions.put("fixedResponse", pass.fixedResponse());
        actions.put("staticFiles", pass.staticFiles());
        List<String> present = actions.keySet().stream()
                .filter(name -> actions.get(name) != null)
                .toList();
        String expected = "exactly one of " + String.join(", ", actions.keySet());
        findings.require(!present.isEmpty(), Mismatch.absent(expected), "upstreamId");
        findings.require(present.size() < 2, Mismatch.present(expected), present.isEmpty() ? "" : present.getLast());
    }

    private static void split(Findings findings, @Nullable Split split) {
        if (split == null) {
            return;
        }
        long total = split.targets().stream().mapToLong(SplitTarget::weight).sum();
        findings.require(
                total > 0, Mismatch.of("every weight is 0", "at least one weight above 0"), "split", "targets");
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < split.targets().size(); i++) {
            String id = split.targets().get(i).upstreamId();
            findings.require(
                    seen.add(id), Mismatch.quoted(id, "each upstream once"), "split", "targets", i, "upstreamId");
        }
    }

    private static void prefix(Findings findings, @Nullable String prefix, String field) {
        if (prefix != null) {
            boolean normal = prefix.startsWith("/") && !prefix.endsWith("/") && isNormal(prefix);
            Mismatch detail = Mismatch.quoted(prefix, "a path in normal form without a slash at its end");
            findings.require(normal, detail, field);
        }
    }

    private static boolean isNormal(String path) {
        try {
            // A query or a fragment is none of a path.
            return NormalPath.of(path).equals(path) && path.indexOf('?') < 0 && path.indexOf('#') < 0;
        } catch (InvalidValue e) {
            return false;
        }
    }

    private static void redirect(Findings findings, @Nullable Redirect redirect) {
        if (redirect != null) {
            Mismatch detail = Mismatch.of(redirect.status(), "301, 302, 303, 307 or 308");
            findings.require(REDIRECTS.contains(redirect.status()), detail, "redirect", "status");
            findings.parse(() -> LocationTemplate.parse(redirect.location()), "redirect", "location");
        }
    }

    private static void files(Findings findings, @Nullable StaticFiles files) {
        if (files == null) {
            return;
        }
        String index = files.index();
        boolean name = index.indexOf('/') < 0 && !index.equals(".") && !index.equals("..") && isText(index);
        findings.require(name, Mismatch.quoted(index, "the name of a file"), "staticFiles", "index");
        String fallback = files.fallback();
        findings.require(
                fallback == null || (!fallback.startsWith("/") && isNormal("/" + fallback)),
                Mismatch.quoted(fallback, "a relative path in normal form"),
                "staticFiles",
                "fallback");
        String cacheControl = files.cacheControl();
        findings.require(
                cacheControl == null || (Headers.isValue(cacheControl) && !cacheControl.isBlank()),
                Mismatch.quoted(cacheControl, "a value of Cache-Control"),
                "staticFiles",
                "cacheControl");
    }

    private static boolean isText(String text) {
        return text.chars().noneMatch(c -> c < 0x20 || c == 0x7f);
    }

    private static void retry(Findings findings, ProxyPass pass) {
        Retry retry = pass.retry();
        for (int i = 0; i < retry.methods().size(); i++) {
            Methods.check(findings, retry.methods().get(i), "retry", "methods", i);
        }
        int response = pass.timeouts().responseMillis();
        Integer each = retry.perTryMillis();
        findings.require(
                each == null || each <= response,
                Mismatch.of(each, "at most " + response + ", the responseMillis of timeouts"),
                "retry",
                "perTryMillis");
        findings.require(
                retry.backoffMillis() <= retry.backoffMaxMillis(),
                Mismatch.of(retry.backoffMillis(), "at most " + retry.backoffMaxMillis() + ", the backoffMaxMillis"),
                "retry",
                "backoffMillis");
    }
}
