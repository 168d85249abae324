package io.sigma.dataplane.engine.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.unix.Socket;
import io.netty.channel.uring.IoUring;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PeersTest {

    private final Peers peers = new Peers();

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void peerIsTheAddressAndPortThatTheOtherEndListensOn(String host) throws IOException {
        assumeTrue(IoUring.isAvailable() && Peers.areKnown());
        InetAddress address = InetAddress.getByName(host);
        try (ServerSocket listening = new ServerSocket(0, 10, address)) {
            for (int i = 0; i < 2; i++) {
                Socket socket = Socket.newSocketStream();
                socket.connect(new InetSocketAddress(address, listening.getLocalPort()));
                assertThat(peers.of(socket.intValue()))
                        .isEqualTo(new InetSocketAddress(address, listening.getLocalPort()));
                socket.close();
            }
        }
    }

    @Test
    void socketThatIsNotConnectedHasNoPeer() throws IOException {
        assumeTrue(IoUring.isAvailable() && Peers.areKnown());
        Socket socket = Socket.newSocketStream();
        assertThat(peers.of(socket.intValue())).isNull();
        socket.close();
    }
}
