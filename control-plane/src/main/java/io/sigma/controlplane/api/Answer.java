package io.sigma.controlplane.api;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is sent back.
 *
 * @param body a model record, or JSON as bytes
 */
record Answer(int status, Object body, Map<String, String> headers) {

    Answer {
        headers = Map.copyOf(headers);
    }

    static Answer ok(Object body) {
        return new Answer(200, body, Map.of());
    }

    Answer with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new Answer(status, body, more);
    }
}
