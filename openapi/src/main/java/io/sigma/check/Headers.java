package io.sigma.check;

import io.sigma.model.HeaderEdits;
import io.sigma.value.Tokens;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Fields that the configuration adds to messages. */
final class Headers {

    /** Fields that frame a message or belong to one connection; the gateway alone writes them (RFC 9110 §7.6.1). */
    private static final Set<String> FRAMING = Set.of(
            "connection",
            "content-length",
            "host",
            "keep-alive",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    /** What a name of {@link #checkSubjectName} has as one of its words. */
    private static final Set<String> SUBJECT_WORDS = Set.of("cert", "certificate", "dn", "subject");

    private Headers() {}

    static void checkEdits(Findings findings, @Nullable HeaderEdits edits) {
        if (edits == null) {
            return;
        }
        for (int i = 0; i < edits.remove().size(); i++) {
            checkName(findings, edits.remove().get(i), "remove", i);
        }
        edits.rename().forEach((old, name) -> {
            checkName(findings, old, "rename", old);
            checkName(findings, name, "rename", old);
        });
        checkFields(findings.at("set"), edits.set());
        checkFields(findings.at("add"), edits.add());
    }

    static void checkFields(Findings findings, Map<String, String> fields) {
        fields.forEach((name, value) -> {
            checkName(findings, name, name);
            checkValue(findings, value, name);
        });
    }

    /** Returns whether a field can have {@code value} as it is: Latin-1 without control characters but tabs. */
    static boolean isValue(String value) {
        return value.chars().allMatch(c -> c == '\t' || (c >= ' ' && c != 0x7f && c <= 0xff));
    }

    static void checkValue(Findings findings, String value, Object... pointer) {
        boolean sendable = isValue(value);
        findings.require(
                sendable, "a value that no field can have (expected: Latin-1 without control characters)", pointer);
    }

    static void checkName(Findings findings, String name, Object... pointer) {
        boolean editable = Tokens.isToken(name) && !FRAMING.contains(name.toLowerCase(Locale.ROOT));
        String detail = "\"" + name + "\" (expected: a field name, none of "
                + FRAMING.stream().sorted().toList() + ")";
        findings.require(editable, detail, pointer);
    }

    /**
     * Requires that {@code name} speaks of a certificate. Every listener drops this field from what clients send, so
     * one editor could otherwise take {@code Cookie} or {@code X-Api-Key} from the clients of all others.
     */
    static void checkSubjectName(Findings findings, String name, Object... pointer) {
        boolean subject =
                Arrays.stream(name.toLowerCase(Locale.ROOT).split("-")).anyMatch(SUBJECT_WORDS::contains);
        String detail = "\"" + name + "\" (expected: a field name with one of the words "
                + SUBJECT_WORDS.stream().sorted().toList() + ", as X-Client-Subject)";
        findings.require(Tokens.isToken(name) && subject, detail, pointer);
    }
}
