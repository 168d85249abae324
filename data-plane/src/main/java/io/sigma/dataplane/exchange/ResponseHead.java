package io.sigma.dataplane.exchange;

/** The head of a response on its way to the client. Confined to the event loop of the exchange. */
public final class ResponseHead {

    private Fields fields;
    private int status;

    /**
     * @param status 200..599
     * @param fields changed by filters before they are sent
     */
    public ResponseHead(int status, Fields fields) {
        this.status = status;
        this.fields = fields;
    }

    /** Makes it the head of another response; the one before is over. */
    public void again(int newStatus, Fields newFields) {
        status = newStatus;
        fields = newFields;
    }

    /** Returns whether a response with that status to a request with that method has no body (RFC 9110 §6.4.1). */
    public static boolean isBodiless(int status, String method) {
        return status < 200 || status == 204 || status == 304 || method.equals("HEAD");
    }

    /** Returns whether the response has no content although it has the framing of others (RFC 9110 §15.3.6). */
    public static boolean isReset(int status) {
        return status == 205;
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
