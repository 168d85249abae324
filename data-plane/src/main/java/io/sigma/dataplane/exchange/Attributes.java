package io.sigma.dataplane.exchange;

/** Values that filters find about an exchange, for the access log. */
public final class Attributes {

    /** The id that the gateway gave the request, or took over from the client. */
    public static final AttributeKey<String> REQUEST_ID = AttributeKey.of(String.class, "requestId");

    /** The authenticated identity of the client. */
    public static final AttributeKey<Identity> IDENTITY = AttributeKey.of(Identity.class, "identity");

    /** Encodes the body of the response; an engine sends what it returns in place of the body. */
    public static final AttributeKey<BodyEncoder> BODY_ENCODER = AttributeKey.of(BodyEncoder.class, "bodyEncoder");

    /**
     * Set when the response is a file that goes from the disk to the connection without passing the gateway's memory.
     */
    public static final AttributeKey<Boolean> FILE = AttributeKey.of(Boolean.class, "file");

    /** Set when the client waits for 100 although no content follows, since it wants to switch protocols. */
    public static final AttributeKey<Boolean> AWAITS_SWITCH = AttributeKey.of(Boolean.class, "awaitsSwitch");

    private Attributes() {}
}
