package io.sigma.dataplane.filter;

import io.sigma.value.AddressRefused;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import okhttp3.Dispatcher;
import okhttp3.OkHttpClient;
import okhttp3.Response;

/**
 * A client for one host: a collector, or an issuer of keys. It connects only to addresses that its {@link GuardedHost}
 * admits, follows no redirects, and has one timeout for all of a call, from the name service to the end of the answer.
 * Thread-safe.
 */
public final class GuardedClient implements AutoCloseable {

    private final ExecutorService threads;
    private final OkHttpClient client;

    /**
     * @param threadName of the threads of calls
     * @param timeout of a whole call, with all attempts of {@code builder}
     * @param builder what is particular to this client
     */
    public GuardedClient(GuardedHost host, Duration timeout, String threadName, OkHttpClient.Builder builder) {
        this.threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name(threadName).factory());
        this.client = builder.dispatcher(new Dispatcher(threads))
                .dns(name -> admitted(host))
                .followRedirects(false)
                .followSslRedirects(false)
                .connectTimeout(timeout)
                .callTimeout(timeout)
                .build();
    }

    private static List<InetAddress> admitted(GuardedHost host) throws UnknownHostException {
        try {
            return host.admitted();
        } catch (AddressRefused e) {
            UnknownHostException refused = new UnknownHostException(e.getMessage());
            refused.initCause(e);
            throw refused;
        }
    }

    public OkHttpClient client() {
        return client;
    }

    /**
     * Returns the body of {@code response}, cut off after {@code bytesMax}.
     *
     * @throws IOException when it does not come in time
     */
    public static byte[] body(Response response, long bytesMax) throws IOException {
        return response.peekBody(bytesMax).bytes();
    }

    @Override
    public void close() {
        client.dispatcher().cancelAll();
        client.connectionPool().evictAll();
        threads.shutdownNow();
    }
}
