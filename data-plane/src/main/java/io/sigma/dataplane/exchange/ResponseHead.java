package io.sigma.dataplane.exchange;

/** The head of a response on its way to the client. Confined to the event loop of the exchange. */
public final class ResponseHead {

    private final Fields fields;
    private int status;

    /**
     * @param status 200..599
     * @param fields changed by filters before they are sent
     */
    public ResponseHead(int status, Fields fields) {
        this.status = status;
        this.fields = fields;
    }

    public int status() {
        return status;
    }

    public void status(int newStatus) {
        status = newStatus;
    }

    public Fields fields() {
        return fields;
    }
}
