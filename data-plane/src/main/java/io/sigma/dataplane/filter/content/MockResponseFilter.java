package io.sigma.dataplane.filter.content;

import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.Replies;
import io.sigma.model.MockResponsePlugin;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Answers in place of the node. */
public final class MockResponseFilter implements Filter {

    private final int status;
    private final List<Map.Entry<String, String>> fields;
    private final byte[] body;

    public MockResponseFilter(MockResponsePlugin plugin) {
        this.status = plugin.status();
        this.fields = List.copyOf(plugin.headers().entrySet());
        String text = plugin.body();
        this.body = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean isPure() {
        return true;
    }

    @Override
    public Verdict onRequest(Exchange exchange, Replies replies) {
        ResponseHead head = exchange.downstream().head(status);
        for (Map.Entry<String, String> field : fields) {
            head.fields().set(field.getKey(), field.getValue());
        }
        replies.answer(head, body);
        return Verdict.TAKEN;
    }
}
