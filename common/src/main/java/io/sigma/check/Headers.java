package io.sigma.check;

import io.sigma.identity.SessionCookie;
import io.sigma.model.HeaderEdits;
import io.sigma.value.Mismatch;
import io.sigma.value.Tokens;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Fields that the configuration adds to messages. */
final class Headers {

    /**
     * Fields that frame a message or belong to one connection; the gateway alone writes them (RFC 9110 §7.6.1). The
     * marks of those who sent a request must not be taken away by any configuration (RFC 8586 §2).
     */
    private static final Set<String> OWN = Set.of(
            "cdn-loop",
            "connection",
            "content-length",
            "host",
            "keep-alive",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private static final String SET_COOKIE = "set-cookie";

    /** The field by which a node learns the consumer. */
    private static final String CONSUMER = "x-consumer-id";

    /** A name of {@link #checkSubjectName} has one of these words. */
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

    /** As {@link #checkEdits}, of fields that nodes get. */
    static void checkRequestEdits(Findings findings, @Nullable HeaderEdits edits) {
        checkEdits(findings, edits);
        if (edits != null) {
            edits.rename().forEach((old, name) -> checkNoIdentity(findings, name, "rename", old));
            edits.set().keySet().forEach(name -> checkNoIdentity(findings, name, "set", name));
            edits.add().keySet().forEach(name -> checkNoIdentity(findings, name, "add", name));
        }
    }

    /** As {@link #checkFields}, of fields that nodes get. */
    static void checkRequestFields(Findings findings, Map<String, String> fields) {
        checkFields(findings, fields);
        fields.keySet().forEach(name -> checkNoIdentity(findings, name, name));
    }

    /** As {@link #checkName}, of a field that nodes get. */
    static void checkRequestName(Findings findings, String name, Object... pointer) {
        checkName(findings, name, pointer);
        checkNoIdentity(findings, name, pointer);
    }

    /**
     * Requires that {@code name} is none of the fields by which the gateway tells nodes who a client is: one editor
     * could otherwise speak to the nodes of all others in the name of their clients.
     */
    private static void checkNoIdentity(Findings findings, String name, Object... pointer) {
        boolean identity = name.equalsIgnoreCase(CONSUMER) || isSubjectName(name);
        Mismatch detail = Mismatch.quoted(
                name,
                "a field that does not say who a client is; only the gateway sets "
                        + "X-Consumer-Id and fields with one of the words "
                        + SUBJECT_WORDS.stream().sorted().toList());
        findings.require(!identity, detail, pointer);
    }

    static void checkFields(Findings findings, Map<String, String> fields) {
        fields.forEach((name, value) -> {
            checkName(findings, name, name);
            checkValue(findings, value, name);
            checkNoSession(findings, name.equalsIgnoreCase(SET_COOKIE) && SessionCookie.isSetBy(value), name);
        });
    }

    /** Requires that a browser does not get another session of the dashboard than the control plane gave it. */
    static void checkNoSession(Findings findings, boolean session, Object... pointer) {
        findings.require(
                !session,
                Mismatch.quoted(SessionCookie.NAME, "another cookie; this is the session of the dashboard"),
                pointer);
    }

    /** Returns whether a field can have {@code value} as it is: Latin-1 without control characters but tabs. */
    static boolean isValue(String value) {
        return value.chars().allMatch(c -> c == '\t' || (c >= ' ' && c != 0x7f && c <= 0xff));
    }

    static void checkValue(Findings findings, String value, Object... pointer) {
        boolean sendable = isValue(value);
        findings.require(
                sendable,
                Mismatch.of("a value with characters that no field can have", "Latin-1 without control characters"),
                pointer);
    }

    static void checkName(Findings findings, String name, Object... pointer) {
        boolean editable = Tokens.isToken(name) && !OWN.contains(name.toLowerCase(Locale.ROOT));
        Mismatch detail = Mismatch.quoted(
                name, "a field name, none of " + OWN.stream().sorted().toList());
        findings.require(editable, detail, pointer);
    }

    /**
     * Requires that {@code name} speaks of a certificate. Every listener drops this field from what clients send, so
     * one editor could otherwise take {@code Cookie} or {@code X-Api-Key} from the clients of all others.
     */
    static void checkSubjectName(Findings findings, String name, Object... pointer) {
        Mismatch detail = Mismatch.quoted(
                name,
                "a field name with one of the words "
                        + SUBJECT_WORDS.stream().sorted().toList() + ", such as X-Client-Subject");
        findings.require(Tokens.isToken(name) && isSubjectName(name), detail, pointer);
    }

    private static boolean isSubjectName(String name) {
        return Arrays.stream(name.toLowerCase(Locale.ROOT).split("-")).anyMatch(SUBJECT_WORDS::contains);
    }
}
