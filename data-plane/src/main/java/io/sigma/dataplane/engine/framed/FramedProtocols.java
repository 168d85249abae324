package io.sigma.dataplane.engine.framed;

import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.model.Protocol;

/** The protocols of frames that are known. */
final class FramedProtocols {

    private static final FramedProtocol BOLT = new BoltProtocol();
    private static final FramedProtocol DUBBO = new DubboProtocol();
    private static final FramedProtocol THRIFT = new ThriftProtocol();

    private FramedProtocols() {}

    /** Returns what a proxy server speaks. */
    static FramedProtocol of(Protocol protocol) {
        return switch (protocol) {
            case BOLT -> BOLT;
            case DUBBO -> DUBBO;
            case THRIFT -> THRIFT;
            default -> throw new IllegalArgumentException(protocol + " has no frames");
        };
    }

    /** Returns what is spoken on connections to nodes. */
    static FramedProtocol of(NodeEndpoint.Version version) {
        return switch (version) {
            case BOLT -> BOLT;
            case DUBBO -> DUBBO;
            case THRIFT -> THRIFT;
            default -> throw new IllegalArgumentException(version + " has no frames");
        };
    }
}
