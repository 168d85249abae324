package io.sigma.dataplane.filter;

import io.sigma.dataplane.disk.ServedFile;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.ResponseHead;
import java.util.Map;

/** Lets a filter that suspended a request decide it. Responses pass the filters on their way. */
public interface Replies {

    /** Lets the request go on with the filter that follows. */
    void proceed();

    /** Answers with {@code body}. */
    void answer(ResponseHead head, byte[] body);

    /** Answers with {@code length} bytes of a file, from the byte at {@code offset} on. */
    void answerFile(ResponseHead head, ServedFile file, long offset, long length);

    /** Answers with an error. */
    default void fail(ErrorKind kind) {
        fail(kind, Map.of());
    }

    /** Answers with an error that carries {@code fields}, such as {@code retry-after}. */
    void fail(ErrorKind kind, Map<String, String> fields);

    /** Runs {@code task} on the exchange's event loop after {@code millis}, unless the exchange is over by then. */
    void after(long millis, Runnable task);

    /** Runs {@code task}, which may block, off the event loop, and then {@code done} on it. */
    void offLoop(Runnable task, Runnable done);
}
