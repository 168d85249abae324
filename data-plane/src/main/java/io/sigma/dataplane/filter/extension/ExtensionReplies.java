package io.sigma.dataplane.filter.extension;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.filter.Replies;
import io.sigma.plugin.PluginReplies;
import java.util.Map;

/** Lets a plugin decide a request. */
record ExtensionReplies(Exchange exchange, Replies replies) implements PluginReplies {

    @Override
    public void proceed() {
        replies.proceed();
    }

    @Override
    public void answer(int status, Map<String, String> fields, byte[] body) {
        ResponseHead head = exchange.downstream().head(status);
        fields.forEach(head.fields()::set);
        replies.answer(head, body);
    }

    @Override
    public void refuse(Refusal refusal, Map<String, String> fields) {
        replies.fail(kind(refusal), fields);
    }

    private static ErrorKind kind(Refusal refusal) {
        return switch (refusal) {
            case BAD_REQUEST -> ErrorKind.BAD_REQUEST;
            case UNAUTHORIZED -> ErrorKind.UNAUTHORIZED;
            case FORBIDDEN -> ErrorKind.FORBIDDEN;
            case RATE_LIMITED -> ErrorKind.RATE_LIMITED;
            case NOT_READY -> ErrorKind.NOT_READY;
        };
    }

    @Override
    public void after(long millis, Runnable task) {
        replies.after(millis, task);
    }

    @Override
    public void offLoop(Runnable task, Runnable done) {
        replies.offLoop(task, done);
    }
}
