package io.sigma.dataplane.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannelBuilder;
import io.grpc.ServerBuilder;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.testing.integration.AbstractInteropTest;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.model.ServerTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;

/** The interoperability cases of grpc-java: its client and its server, with the gateway between them. */
final class GrpcInteropTest extends EngineContract {

    /** So many cases there are; a version with fewer would be noticed. */
    private static final int CASES_MIN = 34;

    private static int gatewayPort;
    /**
     * The case knows only the texts of a client and of a server whose deadline is over; a slow client hears of the
     * gateway's first.
     */
    private static final String DEADLINE_TOLD_BY_GATEWAY =
            "deadlineExceeded(" + Cases.class.getName() + "): The exchange took longer than allowed.";

    private static int nodePort;
    private static @Nullable TestTls gatewayTls;

    /** The cases, as JUnit 4 runs them. */
    public static final class Cases extends AbstractInteropTest {

        @Override
        protected ServerBuilder<?> getServerBuilder() {
            awaitFree(nodePort);
            return NettyServerBuilder.forAddress(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), nodePort),
                            InsecureServerCredentials.create())
                    .flowControlWindow(AbstractInteropTest.TEST_FLOW_CONTROL_WINDOW)
                    .maxInboundMessageSize(AbstractInteropTest.MAX_MESSAGE_SIZE);
        }

        @Override
        protected ManagedChannelBuilder<?> createChannelBuilder() {
            NettyChannelBuilder builder = NettyChannelBuilder.forAddress("localhost", gatewayPort)
                    .flowControlWindow(AbstractInteropTest.TEST_FLOW_CONTROL_WINDOW)
                    .maxInboundMessageSize(AbstractInteropTest.MAX_MESSAGE_SIZE);
            TestTls tls = gatewayTls;
            if (tls == null) {
                return builder.usePlaintext();
            }
            try {
                return builder.sslContext(GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK)
                        .trustManager(tls.certificate())
                        .build());
            } catch (SSLException e) {
                throw new IllegalStateException(e);
            }
        }

        /** The server of the case before is told to stop, and nobody waits until it has. */
        private static void awaitFree(int port) {
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            boolean free = false;
            while (!free && System.nanoTime() < until) {
                try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                    free = socket.isBound();
                } catch (IOException e) {
                    Thread.onSpinWait();
                }
            }
        }

        @Override
        protected boolean metricsExpected() {
            return false;
        }
    }

    @ParameterizedTest(name = "TLS: {0}")
    @ValueSource(booleans = {false, true})
    void everyCasePasses(boolean encrypted) throws Exception {
        gatewayPort = port();
        nodePort = Config.freePort();
        gatewayTls = encrypted ? TestTls.create("localhost") : null;
        gateway().apply(config());
        Result result = JUnitCore.runClasses(Cases.class);
        assertThat(result.getFailures().stream()
                        .map(Failure::toString)
                        .filter(failure -> !failure.equals(DEADLINE_TOLD_BY_GATEWAY))
                        .toList())
                .isEqualTo(List.of());
        assertThat(result.getRunCount() - result.getAssumptionFailureCount()).isGreaterThanOrEqualTo(CASES_MIN);
    }

    private Config config() {
        Config config = forwarding("http://127.0.0.1:" + nodePort).overHttp2();
        TestTls tls = gatewayTls;
        return tls == null
                ? config
                : config.certificate(tls.resource("web"))
                        .encrypted("web", ServerTls.builder().build());
    }
}
