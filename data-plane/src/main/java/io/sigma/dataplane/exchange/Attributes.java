package io.sigma.dataplane.exchange;

/** What filters find out about an exchange and the access log shows. */
public final class Attributes {

    /** The id that the gateway gave the request, or took over from the client. */
    public static final AttributeKey<String> REQUEST_ID = AttributeKey.of(String.class, "requestId");

    /** Who the client proved to be. */
    public static final AttributeKey<Identity> IDENTITY = AttributeKey.of(Identity.class, "identity");

    private Attributes() {}
}
