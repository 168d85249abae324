package io.sigma.dataplane.engine.vertx;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardSocketOptions;
import org.junit.jupiter.api.Test;

final class SharedPortsTest {

    private static final String HOST = "127.0.0.1";

    private final SharedPorts ports = new SharedPorts();

    private static ServerSocket listener() throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setOption(StandardSocketOptions.SO_REUSEPORT, true);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return socket;
    }

    @Test
    void portThatAnotherListenerWouldShareIsTaken() throws Exception {
        try (ServerSocket other = listener()) {
            assertThatThrownBy(() -> ports.claim(HOST, other.getLocalPort())).isInstanceOf(BindException.class);
        }
    }

    @Test
    void ownPortIsNotTakenUntilTheLastListenerReleasesIt() throws Exception {
        int port;
        try (ServerSocket free = listener()) {
            port = free.getLocalPort();
        }
        ports.claim(HOST, port);
        try (ServerSocket own = new ServerSocket()) {
            own.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            own.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            ports.claim(HOST, port);
            ports.release(HOST, port);
            ports.claim(HOST, port);
            ports.release(HOST, port);
            ports.release(HOST, port);
            assertThatThrownBy(() -> ports.claim(HOST, port)).isInstanceOf(BindException.class);
        }
    }
}
