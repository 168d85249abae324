package io.sigma.controlplane.analysis;

import io.sigma.model.Consumer;
import io.sigma.model.Finding;
import io.sigma.model.Kind;
import java.util.ArrayList;
import java.util.List;

/** Looks at consumers. */
final class ConsumerRules {

    private ConsumerRules() {}

    static void check(Facts facts, Consumer consumer, java.util.function.Consumer<Finding> found) {
        PluginUse plugins = facts.plugins();
        boolean known = plugins.jwt()
                || (plugins.keyAuth() && !consumer.apiKeys().isEmpty())
                || (plugins.basicAuth() && !consumer.logins().isEmpty());
        if (!known) {
            List<String> ways = new ArrayList<>();
            if (!consumer.apiKeys().isEmpty()) {
                ways.add(consumer.apiKeys().size() + " API keys");
            }
            if (!consumer.logins().isEmpty()) {
                ways.add(consumer.logins().size() + " logins");
            }
            String has = ways.isEmpty() ? "no credentials" : String.join(" and ", ways);
            found.accept(Rule.CONSUMER_UNUSED.found(
                    Kind.CONSUMER,
                    String.valueOf(consumer.id()),
                    "",
                    "It has " + has + ", and no enabled plugin accepts them (keyAuth, basicAuth, jwt)."));
        }
    }
}
