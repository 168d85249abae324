package io.sigma.plugin;

import java.util.Map;

/** Decides a request that a filter took. Responses pass the filters on their way. */
public interface PluginReplies {

    /** Why a request is refused. Clients, logs and metrics see it as one of Sigma's own refusals. */
    enum Refusal {
        /** 400 */
        BAD_REQUEST,
        /** 401 */
        UNAUTHORIZED,
        /** 403 */
        FORBIDDEN,
        /** 429 */
        RATE_LIMITED,
        /** 503 */
        NOT_READY
    }

    /** Lets the request go on with the filter that follows. */
    void proceed();

    /**
     * Answers with {@code body}.
     *
     * @param status 200..599
     */
    void answer(int status, Map<String, String> fields, byte[] body);

    /** Answers with an error that carries {@code fields}, such as {@code retry-after}. */
    void refuse(Refusal refusal, Map<String, String> fields);

    /** Runs {@code task} on the exchange's event loop after {@code millis}, unless the exchange is over by then. */
    void after(long millis, Runnable task);

    /** Runs {@code task}, which may block, off the event loop, and then {@code done} on it. */
    void offLoop(Runnable task, Runnable done);
}
