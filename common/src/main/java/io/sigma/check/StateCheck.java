package io.sigma.check;

import io.sigma.json.JsonPointer;
import io.sigma.model.FieldError;
import io.sigma.model.Kind;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerTls;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.ResourceType;
import io.sigma.value.Mismatch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks a whole state: every resource, every reference, and what several resources must agree on. */
public final class StateCheck {

    private StateCheck() {}

    /** Returns what is wrong, each with a pointer such as {@code /routes/shop-api/path}, in order of kind and id. */
    public static List<FieldError> check(ConfigState state) {
        List<FieldError> errors = new ArrayList<>();
        for (ResourceType<?> type : ResourceType.ALL) {
            checkType(state, type, errors);
        }
        ConsumerCheck.clashes(state.consumers().values())
                .forEach((id, error) -> errors.add(prefixed("consumers", id, error)));
        listeners(state.proxyServers().values())
                .forEach((id, error) -> errors.add(prefixed("proxyServers", id, error)));
        if (state.certificates().isEmpty()) {
            state.proxyServers().forEach((id, server) -> {
                if (needsAnyCertificate(server)) {
                    errors.add(prefixed("proxyServers", id, uncertified()));
                }
            });
        }
        for (StreamCheck.Clash clash : StreamCheck.check(state)) {
            errors.add(prefixed(ResourceType.of(clash.kind()).field(), clash.id(), clash.error()));
        }
        return errors;
    }

    /** Returns whether {@code server} presents all certificates that there are, and so needs that there is one. */
    public static boolean needsAnyCertificate(ProxyServer server) {
        ServerTls tls = server.tls();
        return server.enabled() && tls != null && tls.certificates().isEmpty() && tls.certPath() == null;
    }

    /**
     * Returns the error of a proxy server that {@link #needsAnyCertificate} where there is none; its pointer is
     * relative.
     */
    public static FieldError uncertified() {
        return Faults.of(
                JsonPointer.of("tls", "certificates"),
                Mismatch.of("[]", "at least one certificate among the resources, or certPath and keyPath"));
    }

    private static <T> void checkType(ConfigState state, ResourceType<T> type, List<FieldError> errors) {
        state.of(type).entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(entry -> {
            String id = entry.getKey();
            for (FieldError error : ResourceCheck.check(entry.getValue())) {
                errors.add(prefixed(type.field(), id, error));
            }
            for (ResourceType.Reference<T> reference : type.references()) {
                Map<String, ?> known = state.of(ResourceType.of(reference.target()));
                for (ResourceType.Target target : reference.targets().apply(entry.getValue())) {
                    if (!known.containsKey(target.id())) {
                        errors.add(prefixed(type.field(), id, missing(reference, target)));
                    }
                }
            }
        });
    }

    /** Returns the error for a reference to {@code target}, which does not exist; its pointer is relative. */
    public static FieldError missing(ResourceType.Reference<?> reference, ResourceType.Target target) {
        String label = ResourceType.of(reference.target()).label();
        return Faults.unknownReference(target.pointer(), target.id(), reference.target(), label);
    }

    /** Returns, by id, the enabled proxy servers that want an address which one with a smaller id has. */
    public static Map<String, FieldError> listeners(Collection<ProxyServer> servers) {
        Map<String, FieldError> clashes = new HashMap<>();
        OpenAddresses open = new OpenAddresses();
        servers.stream()
                .filter(ProxyServer::enabled)
                .sorted(Comparator.comparing(ProxyServer::id))
                .forEach(later -> {
                    ProxyServer earlier = open.other(later);
                    if (earlier != null) {
                        clashes.put(later.id(), clash(earlier, later));
                    }
                    open.add(later);
                });
        return clashes;
    }

    /**
     * Returns whether two proxy servers cannot both listen: same port, and the same host or one of them every host.
     * UDP has ports of its own.
     */
    public static boolean sameAddress(ProxyServer a, ProxyServer b) {
        boolean hosts = a.host().equalsIgnoreCase(b.host()) || isAny(a.host()) || isAny(b.host());
        boolean kinds = (a.protocol() == Protocol.UDP) == (b.protocol() == Protocol.UDP);
        return a.port().equals(b.port()) && kinds && hosts;
    }

    /** Returns the error of {@code later}, whose address {@code earlier} has; its pointer is relative. */
    public static FieldError clash(ProxyServer earlier, ProxyServer later) {
        return Faults.conflict(
                JsonPointer.of("port"),
                String.valueOf(later.port()),
                "an address that proxy server \"" + earlier.id() + "\" does not use",
                Kind.PROXY_SERVER,
                earlier.id());
    }

    static boolean isAny(String host) {
        return host.equals("0.0.0.0") || host.equals("::");
    }

    private static FieldError prefixed(String field, String id, FieldError error) {
        return Faults.at(JsonPointer.of(field, id) + error.pointer(), error);
    }
}
