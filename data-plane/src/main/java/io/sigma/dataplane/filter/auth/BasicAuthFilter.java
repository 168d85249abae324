package io.sigma.dataplane.filter.auth;

import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.filter.ConsumerDirectory;
import io.sigma.dataplane.filter.Consumers;
import io.sigma.dataplane.filter.CredentialQueue;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.filter.RecentMap;
import io.sigma.dataplane.filter.Replies;
import io.sigma.limit.AddressBlock;
import io.sigma.model.BasicAuthPlugin;
import io.sigma.value.PasswordHash;
import io.sigma.value.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Knows consumers by user name and password (RFC 7617). A password is checked off the event loops, because that is slow
 * on purpose; what was found right is remembered, by digest.
 */
public final class BasicAuthFilter implements Filter {

    private static final String SCHEME = "basic ";
    private static final int REMEMBERED_MAX = 10_000;

    /** Checked for users who do not exist, so that the time does not tell. */
    private static final PasswordHash NOBODY = PasswordHash.of("nobody");

    private final Consumers consumers;
    private final String challenge;
    private final boolean hides;
    private final RecentMap<Boolean> right = new RecentMap<>(REMEMBERED_MAX);

    public BasicAuthFilter(BasicAuthPlugin plugin, FilterServices services) {
        this.consumers = services.consumers();
        this.challenge = "Basic realm=\"" + plugin.realm() + "\", charset=\"UTF-8\"";
        this.hides = plugin.hideCredentials();
    }

    @Override
    public Verdict onRequest(Exchange exchange, Replies replies) {
        if (Authentication.isDone(exchange)) {
            return Verdict.CONTINUE;
        }
        String sent = Authentication.credentials(exchange, SCHEME, hides);
        if (sent == null) {
            return Authentication.offer(exchange, challenge);
        }
        String pair = decode(sent);
        int colon = pair == null ? -1 : pair.indexOf(':');
        if (pair == null || colon < 0) {
            return Authentication.refuse(replies, challenge);
        }
        ConsumerDirectory.Login login = consumers.directory().ofUser(pair.substring(0, colon));
        String known = Sha256.hex((login == null ? "" : login.hashText()) + "\n" + pair);
        if (login != null && right.get(known) != null) {
            return Authentication.accept(exchange, login.identity());
        }
        return check(exchange, replies, login, pair.substring(colon + 1), known);
    }

    private Verdict check(
            Exchange exchange,
            Replies replies,
            ConsumerDirectory.@Nullable Login login,
            String password,
            String known) {
        CredentialQueue.Turn turn = consumers.passwords().join(AddressBlock.of(exchange.clientAddress()));
        if (turn == null) {
            return Authentication.busy(replies);
        }
        AtomicBoolean matches = new AtomicBoolean();
        AtomicBoolean checked = new AtomicBoolean();
        replies.offLoop(
                () -> {
                    if (turn.await()) {
                        try {
                            checked.set(true);
                            matches.set((login == null ? NOBODY : login.hash()).matches(password) && login != null);
                        } finally {
                            turn.leave(matches.get());
                        }
                    }
                },
                () -> {
                    if (!checked.get()) {
                        Authentication.busy(replies);
                    } else if (login != null && matches.get()) {
                        right.putIfAbsent(known, true);
                        Authentication.accept(exchange, login.identity());
                        replies.proceed();
                    } else {
                        Authentication.refuse(replies, challenge);
                    }
                });
        return Verdict.TAKEN;
    }

    private static @Nullable String decode(String text) {
        try {
            return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
