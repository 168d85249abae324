package io.sigma.dataplane.trial;

import io.sigma.dataplane.disk.ServedFile;
import io.sigma.dataplane.exchange.Downstream;
import io.sigma.dataplane.exchange.FieldList;
import io.sigma.dataplane.exchange.ResponseHead;
import org.jspecify.annotations.Nullable;

/** A client that is not there. */
final class TrialDownstream implements Downstream {

    @Override
    public ResponseHead head(int status) {
        return new ResponseHead(status, new FieldList());
    }

    @Override
    public @Nullable String clientSubject() {
        return null;
    }

    @Override
    public void answer(ResponseHead head, byte[] body) {
        // Nobody hears it.
    }

    @Override
    public void answerFile(ResponseHead head, ServedFile file, long offset, long length) {
        // Nobody hears it.
    }

    @Override
    public boolean isCommitted() {
        return false;
    }

    @Override
    public boolean isAnswered() {
        return false;
    }

    @Override
    public void abort() {
        // Nobody is there.
    }

    @Override
    public void closeAfterAnswer() {
        // Nobody is there.
    }
}
