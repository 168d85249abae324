package io.sigma.controlplane.analysis;

import io.sigma.model.Consumer;
import io.sigma.model.Finding;
import io.sigma.model.Kind;

/** Looks at consumers. */
final class ConsumerRules {

    private ConsumerRules() {}

    static void check(Facts facts, Consumer consumer, java.util.function.Consumer<Finding> found) {
        PluginUse plugins = facts.plugins();
        boolean known = plugins.jwt()
                || (plugins.keyAuth() && !consumer.apiKeys().isEmpty())
                || (plugins.basicAuth() && !consumer.logins().isEmpty());
        if (!known) {
            found.accept(Rule.CONSUMER_UNUSED.found(
                    Kind.CONSUMER,
                    String.valueOf(consumer.id()),
                    "",
                    "It has "
                            + credentials(
                                    consumer.apiKeys().size(), consumer.logins().size())
                            + ", and no enabled plugin accepts them (keyAuth, basicAuth, jwt)."));
        }
    }

    private static String credentials(int keys, int logins) {
        if (keys > 0 && logins > 0) {
            return "API keys and logins";
        }
        if (keys > 0) {
            return keys == 1 ? "an API key" : keys + " API keys";
        }
        return logins == 0 ? "no credentials" : logins == 1 ? "a login" : logins + " logins";
    }
}
