package io.sigma.check;

import io.sigma.json.JsonPointer;
import io.sigma.model.AccessLogPlugin;
import io.sigma.model.JwtPlugin;
import io.sigma.model.Plugins;
import io.sigma.model.ProxyPass;
import io.sigma.model.ProxyServer;
import io.sigma.model.StaticFiles;
import io.sigma.model.StaticResourcesPlugin;
import io.sigma.model.Upstream;
import io.sigma.value.Mismatch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file or folder on the gateway's disk that a resource names: a {@code GatewayPath} of the contract.
 *
 * @param pointer to the field in the resource
 * @param text as it stands there
 */
public record GatewayPath(String pointer, PathUse use, String text) {

    private static final int LENGTH_MAX = 1024;

    /** Returns all that {@code resource} names, also where the plugin or the resource is not enabled. Pure. */
    public static List<GatewayPath> of(Object resource) {
        List<GatewayPath> all = new ArrayList<>();
        switch (resource) {
            case ProxyServer server -> {
                if (server.tls() != null) {
                    add(all, PathUse.READ, server.tls().certPath(), "tls", "certPath");
                    add(all, PathUse.READ, server.tls().keyPath(), "tls", "keyPath");
                }
            }
            case ProxyPass pass -> {
                StaticFiles files = pass.staticFiles();
                add(all, PathUse.SERVED, files == null ? null : files.rootPath(), "staticFiles", "rootPath");
            }
            case Upstream upstream -> add(all, PathUse.READ, upstream.tls().caPath(), "tls", "caPath");
            default -> {
                // Other kinds name none but in plugins.
            }
        }
        plugins(all, ResourcePlugins.of(resource));
        return all;
    }

    /** Returns what is wrong with the text, whatever is on the disk; null when nothing is. */
    @Nullable
    Mismatch problem() {
        if (text.isEmpty() || text.length() > LENGTH_MAX) {
            return Mismatch.of(text.length() + " characters", "a path of 1.." + LENGTH_MAX);
        }
        return text.chars().anyMatch(c -> c < 0x20 || c == 0x7f)
                ? Mismatch.of("a path with a control character", "none")
                : null;
    }

    private static void plugins(List<GatewayPath> all, @Nullable Plugins plugins) {
        if (plugins == null) {
            return;
        }
        AccessLogPlugin log = plugins.accessLog();
        add(all, PathUse.LOGGED, log == null ? null : log.path(), "plugins", "accessLog", "path");
        JwtPlugin jwt = plugins.jwt();
        add(all, PathUse.READ, jwt == null ? null : jwt.secretPath(), "plugins", "jwt", "secretPath");
        StaticResourcesPlugin files = plugins.staticResources();
        add(all, PathUse.SERVED, files == null ? null : files.rootPath(), "plugins", "staticResources", "rootPath");
    }

    private static void add(List<GatewayPath> all, PathUse use, @Nullable String text, Object... pointer) {
        if (text != null) {
            all.add(new GatewayPath(JsonPointer.of(pointer), use, text));
        }
    }
}
