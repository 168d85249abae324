package io.sigma.dataplane.filter;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.ResponseHead;
import java.nio.file.Path;

/** How a filter that took a request decides it. Responses pass the filters on their way. */
public interface Replies {

    /** Lets the request go on with the filter that follows. */
    void proceed();

    /** Answers with {@code body}. */
    void answer(ResponseHead head, byte[] body);

    /** Answers with a file of {@code length} bytes. */
    void answerFile(ResponseHead head, Path file, long length);

    /** Answers with an error. */
    void fail(ErrorKind kind);

    /** Runs {@code task}, which may block, off the event loop, and then {@code done} on it. */
    void offLoop(Runnable task, Runnable done);
}
