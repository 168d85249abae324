package io.sigma.dataplane.takeover;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.json.Json;
import java.io.IOException;

/** The constants and rules that both sides of a take-over share. Stateless. */
final class Protocol {

    /** The only one that there is. A build that knows another one goes on speaking this one, too. */
    static final int VERSION = 1;

    /** Event loops of a process, at most. */
    static final int LOOPS_MAX = 1_024;

    /** Sockets that listen, at most. */
    static final int SOCKETS_MAX = 65_536;

    /** The timeout of an answer that needs no preparation, in milliseconds. */
    static final long ANSWER_MILLIS = 20_000;

    /** The timeout until the new process is ready to serve, in milliseconds. */
    static final long READY_MILLIS = 300_000;

    private Protocol() {}

    static ObjectNode body() {
        return Json.mapper().createObjectNode();
    }

    static ObjectNode hello(String version, int loops) {
        ObjectNode hello = body().put("version", version).put("loops", loops);
        ArrayNode spoken = hello.putArray("protocols");
        spoken.add(VERSION);
        return hello;
    }

    /** Returns whether the sender of a greeting speaks {@link #VERSION}. */
    static boolean isSpoken(JsonNode hello) {
        for (JsonNode protocol : hello.path("protocols")) {
            if (protocol.asInt() == VERSION) {
                return true;
            }
        }
        return false;
    }

    static void expect(Kind expected, Kind given) throws IOException {
        if (expected != given) {
            throw new IOException("message " + given + " (expected: " + expected + ")");
        }
    }
}
