package io.sigma.dataplane.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.model.ServerTls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls of gRPC that the server ends while their client still sends, with grpc-java on both ends. */
final class GrpcEarlyEndTest extends EngineContract {

    private static final int CALLS = 200;
    private static final int AT_ONCE = 20;
    private static final int MESSAGES = 100;
    /** More than the first window of a stream holds. */
    private static final int LONG_BYTES = 100_000;

    private static final MethodDescriptor<byte[], byte[]> METHOD = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
            .setFullMethodName("test.Early/End")
            .setRequestMarshaller(new Octets())
            .setResponseMarshaller(new Octets())
            .build();

    private static final class Octets implements MethodDescriptor.Marshaller<byte[]> {

        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Answers the first message, and ends the call whatever follows. */
    private static StreamObserver<byte[]> serve(StreamObserver<byte[]> answers) {
        return new StreamObserver<>() {
            private boolean over;

            @Override
            public void onNext(byte[] message) {
                if (over) {
                    return;
                }
                over = true;
                answers.onNext(message);
                answers.onNext(new byte[LONG_BYTES]);
                if (message[0] == 0) {
                    answers.onCompleted();
                } else {
                    answers.onError(
                            Status.FAILED_PRECONDITION.withDescription("enough").asRuntimeException());
                }
            }

            @Override
            public void onError(Throwable cause) {
                over = true;
            }

            @Override
            public void onCompleted() {
                over = true;
            }
        };
    }

    private static final class Received implements StreamObserver<byte[]> {

        private final List<Integer> lengths = new ArrayList<>();
        private final CompletableFuture<String> end = new CompletableFuture<>();

        @Override
        public void onNext(byte[] message) {
            lengths.add(message.length);
        }

        @Override
        public void onError(Throwable cause) {
            Status status = Status.fromThrowable(cause);
            end.complete(lengths + " " + status.getCode() + " " + status.getDescription());
        }

        @Override
        public void onCompleted() {
            end.complete(lengths + " OK");
        }
    }

    /** Returns what came, and how it ended. */
    private static String call(ManagedChannel channel, boolean fails)
            throws InterruptedException, ExecutionException, TimeoutException {
        Received received = new Received();
        StreamObserver<byte[]> requests =
                ClientCalls.asyncBidiStreamingCall(channel.newCall(METHOD, CallOptions.DEFAULT), received);
        for (int i = 0; i < MESSAGES; i++) {
            byte[] message = new byte[1000];
            message[0] = (byte) (fails ? 1 : 0);
            requests.onNext(message);
        }
        String end = received.end.get(60, TimeUnit.SECONDS);
        requests.onCompleted();
        return end;
    }

    @ParameterizedTest(name = "TLS: {0}, an error: {1}")
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void everyCallHasItsMessagesAndItsStatus(boolean encrypted, boolean fails) throws Exception {
        TestTls tls = encrypted ? TestTls.create("localhost") : null;
        Server server = NettyServerBuilder.forAddress(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), InsecureServerCredentials.create())
                .addService(ServerServiceDefinition.builder("test.Early")
                        .addMethod(METHOD, ServerCalls.asyncBidiStreamingCall(GrpcEarlyEndTest::serve))
                        .build())
                .build()
                .start();
        String node = "http://127.0.0.1:" + server.getPort();
        Config config = forwarding(node).overHttp2();
        Config served = tls == null
                ? config
                : config.certificate(tls.resource("web"))
                        .encrypted("web", ServerTls.builder().build());
        gateway().apply(served);
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress("localhost", port());
        ManagedChannel channel = (tls == null
                        ? builder.usePlaintext()
                        : builder.sslContext(GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK)
                                .trustManager(tls.certificate())
                                .build()))
                .build();
        try (ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE)) {
            List<Future<String>> calls = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                calls.add(pool.submit(() -> call(channel, fails)));
            }
            String expected = "[1000, " + LONG_BYTES + "] " + (fails ? "FAILED_PRECONDITION enough" : "OK");
            List<String> failed = new ArrayList<>();
            for (Future<String> one : calls) {
                String end = one.get(120, TimeUnit.SECONDS);
                if (!end.equals(expected)) {
                    failed.add(end);
                }
            }
            assertThat(failed).isEmpty();
        } finally {
            channel.shutdownNow();
            server.shutdownNow();
        }
    }
}
