package io.sigma.dataplane.filter.header;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.HttpResponse;
import io.opentelemetry.sdk.common.export.HttpSender;
import io.opentelemetry.sdk.common.export.HttpSenderConfig;
import io.opentelemetry.sdk.common.export.MessageWriter;
import io.sigma.dataplane.filter.GuardedClient;
import io.sigma.dataplane.filter.GuardedHost;
import java.io.IOException;
import java.net.ConnectException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.X509TrustManager;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSink;
import org.jspecify.annotations.Nullable;

/**
 * Sends batches of spans to a collector, again while it is busy. All attempts together have one timeout, and an answer
 * is read up to {@value #ANSWER_BYTES_MAX} bytes. Thread-safe.
 */
final class CollectorSender implements HttpSender {

    private static final long ANSWER_BYTES_MAX = 64 * 1024;
    private static final int ATTEMPTS_MAX = 5;
    private static final long PAUSE_MILLIS_MAX = 1_000;
    /** Answers after which a batch is sent again (OTLP over HTTP, retryable response codes). */
    private static final Set<Integer> BUSY = Set.of(429, 502, 503, 504);

    private final HttpSenderConfig config;
    private final GuardedClient client;
    private final MediaType type;

    CollectorSender(HttpSenderConfig config, GuardedHost host) {
        this.config = config;
        this.type = Objects.requireNonNull(MediaType.parse(config.getContentType()));
        OkHttpClient.Builder builder = new OkHttpClient.Builder().addInterceptor(CollectorSender::patiently);
        SSLContext tls = config.getSslContext();
        X509TrustManager trust = config.getTrustManager();
        if (tls != null && trust != null) {
            builder.sslSocketFactory(tls.getSocketFactory(), trust);
        }
        this.client = new GuardedClient(host, config.getTimeout(), "spans", builder);
    }

    /** Tries again, after a pause, while the collector is busy or accepts no connection. */
    private static Response patiently(Interceptor.Chain chain) throws IOException {
        for (int attempt = 1; ; attempt++) {
            boolean last = attempt == ATTEMPTS_MAX;
            try {
                Response response = chain.proceed(chain.request());
                if (last || !BUSY.contains(response.code())) {
                    return response;
                }
                response.close();
            } catch (ConnectException e) {
                if (last) {
                    throw e;
                }
            }
            pause(attempt);
        }
    }

    private static void pause(int attempt) throws IOException {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextLong(1, attempt * PAUSE_MILLIS_MAX));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void send(MessageWriter message, Consumer<HttpResponse> onAnswer, Consumer<Throwable> onFailure) {
        Request.Builder request = new Request.Builder()
                .url(config.getEndpoint().toString())
                // Nothing is unpacked.
                .header("Accept-Encoding", "identity")
                .post(new Body(type, message));
        config.getHeadersSupplier()
                .get()
                .forEach((name, values) -> values.forEach(value -> {
                    request.addHeader(name, value);
                }));
        client.client().newCall(request.build()).enqueue(new Callback() {
            @Override
            public void onFailure(Call call, IOException cause) {
                onFailure.accept(cause);
            }

            @Override
            public void onResponse(Call call, Response response) {
                Answer answer;
                try (response) {
                    byte[] body = GuardedClient.body(response, ANSWER_BYTES_MAX);
                    answer = new Answer(response.code(), response.message(), body);
                } catch (IOException e) {
                    onFailure.accept(e);
                    return;
                }
                onAnswer.accept(answer);
            }
        });
    }

    @Override
    public CompletableResultCode shutdown() {
        client.close();
        return CompletableResultCode.ofSuccess();
    }

    private static final class Body extends RequestBody {

        private final MediaType type;
        private final MessageWriter message;

        Body(MediaType type, MessageWriter message) {
            this.type = type;
            this.message = message;
        }

        @Override
        public @Nullable MediaType contentType() {
            return type;
        }

        @Override
        public long contentLength() {
            return message.getContentLength();
        }

        @Override
        public void writeTo(BufferedSink sink) throws IOException {
            message.writeMessage(sink.outputStream());
        }
    }

    private static final class Answer implements HttpResponse {

        private final int status;
        private final String text;
        private final byte[] body;

        Answer(int status, String text, byte[] body) {
            this.status = status;
            this.text = text;
            this.body = body;
        }

        @Override
        public int getStatusCode() {
            return status;
        }

        @Override
        public String getStatusMessage() {
            return text;
        }

        @Override
        public byte[] getResponseBody() {
            return body;
        }
    }
}
