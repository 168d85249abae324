package io.sigma.controlplane.testing;

import io.sigma.controlplane.testing.AdminClient.Reply;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Uses the admin API as a browser does: with a cookie, and without a token. Not thread-safe. */
public final class Browser {

    private final AdminClient client;
    private String cookie = "";

    public Browser(AdminClient client) {
        this.client = client;
    }

    /** Logs in; what is answered says whether it worked. */
    public Reply logIn(String name, String password) {
        Reply reply = send("POST", "/session", "{\"name\":\"" + name + "\",\"password\":\"" + password + "\"}");
        take(reply);
        return reply;
    }

    /** Changes the password. */
    public Reply changePassword(String current, String wanted) {
        Reply reply = send(
                "PUT",
                "/session/password",
                "{\"currentPassword\":\"" + current + "\",\"newPassword\":\"" + wanted + "\"}");
        take(reply);
        return reply;
    }

    private void take(Reply reply) {
        String set = reply.header("Set-Cookie");
        if (!set.isEmpty()) {
            cookie = set.split(";", 2)[0];
        }
    }

    /** Returns what the browser keeps. */
    public String cookie() {
        return cookie;
    }

    /** Returns the same browser at another control plane. */
    public Browser at(AdminClient other) {
        Browser same = new Browser(other);
        same.cookie = cookie;
        return same;
    }

    public Reply get(String path) {
        return send("GET", path, "");
    }

    public Reply send(String method, String path, String body) {
        return send(method, path, body, "Sec-Fetch-Site", "same-origin");
    }

    /** As {@link #send(String, String, String)}, with exactly these fields of the head. */
    public Reply send(String method, String path, String body, String... headers) {
        List<String> all = new ArrayList<>(Arrays.asList(headers));
        if (!cookie.isEmpty()) {
            all.addAll(List.of("Cookie", cookie));
        }
        if (!body.isEmpty()) {
            all.addAll(List.of("Content-Type", "application/json"));
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(client.base() + "/api/v1" + path))
                .timeout(Duration.ofSeconds(60))
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body));
        for (int i = 0; i < all.size(); i += 2) {
            request.setHeader(all.get(i), all.get(i + 1));
        }
        return client.send(request.build());
    }
}
