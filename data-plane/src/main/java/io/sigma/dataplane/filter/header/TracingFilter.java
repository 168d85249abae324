package io.sigma.dataplane.filter.header;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.common.ComponentLoader;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.common.export.HttpSenderProvider;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.GuardedHost;
import io.sigma.dataplane.filter.Replies;
import io.sigma.model.TracingPlugin;
import io.sigma.value.AddressGuard;
import io.sigma.value.FetchUrl;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes part in traces (W3C Trace Context) and tells a collector of them (OTLP over HTTP). Spans wait in a bounded
 * queue and are sent by a thread of their own; those for which there is no room are dropped.
 */
public final class TracingFilter implements Filter {

    private static final io.sigma.dataplane.exchange.AttributeKey<Span> SPAN =
            io.sigma.dataplane.exchange.AttributeKey.of(Span.class, "span");

    private static final AttributeKey<String> METHOD = AttributeKey.stringKey("http.request.method");
    private static final AttributeKey<Long> STATUS = AttributeKey.longKey("http.response.status_code");
    private static final AttributeKey<String> PATH = AttributeKey.stringKey("url.path");
    private static final AttributeKey<String> SCHEME = AttributeKey.stringKey("url.scheme");
    private static final AttributeKey<String> HOST = AttributeKey.stringKey("server.address");
    private static final AttributeKey<String> ROUTE = AttributeKey.stringKey("sigma.route");
    private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
    private static final AttributeKey<String> SERVICE = AttributeKey.stringKey("service.name");

    /** Longer texts of clients are cut in spans. */
    private static final int TEXT_LENGTH_MAX = 512;

    private static final int METHOD_LENGTH_MAX = 32;
    private static final Duration EXPORT_TIMEOUT = Duration.ofSeconds(5);
    private static final double MILLION = 1_000_000;
    private static final TextMapPropagator W3C = W3CTraceContextPropagator.getInstance();
    private static final FieldsGetter GETTER = new FieldsGetter();

    private final boolean trustIncoming;
    private final SdkTracerProvider provider;
    private final Tracer tracer;

    public TracingFilter(TracingPlugin plugin, AddressGuard addresses) {
        this.trustIncoming = plugin.trustIncoming();
        Sampler share = Sampler.traceIdRatioBased(plugin.samplesPerMillion() / MILLION);
        SdkTracerProviderBuilder builder = SdkTracerProvider.builder()
                .setResource(Resource.getDefault().toBuilder()
                        .put(SERVICE, plugin.serviceName())
                        .build())
                .setSpanLimits(SpanLimits.builder()
                        .setMaxAttributeValueLength(TEXT_LENGTH_MAX)
                        .build())
                .setSampler(Sampler.parentBased(share));
        String endpoint = plugin.endpoint();
        if (endpoint == null) {
            // Without any processor there would be no spans, and so no trace for nodes to take part in.
            builder.addSpanProcessor(new ToNobody());
        } else {
            GuardedHost host = new GuardedHost(FetchUrl.parse(endpoint), addresses);
            SpanExporter exporter = OtlpHttpSpanExporter.builder()
                    .setComponentLoader(senders(host))
                    .setEndpoint(endpoint)
                    .setTimeout(EXPORT_TIMEOUT)
                    .build();
            builder.addSpanProcessor(
                    new WaitingSpans(new GuardedExporter(exporter, host), EXPORT_TIMEOUT, SpanMemory.ofProcess()));
        }
        this.provider = builder.build();
        this.tracer = provider.get("sigma");
    }

    /** Returns what an exporter finds instead of the senders on the class path. */
    private static ComponentLoader senders(GuardedHost host) {
        HttpSenderProvider provider = config -> new CollectorSender(config, host);
        return new ComponentLoader() {
            @Override
            public <T> Iterable<T> load(Class<T> type) {
                return type.isInstance(provider) ? List.of(type.cast(provider)) : List.of();
            }
        };
    }

    @Override
    public Verdict onRequest(Exchange exchange, Replies replies) {
        RequestHead request = exchange.request();
        Context parent = trustIncoming ? W3C.extract(Context.root(), request.fields(), GETTER) : Context.root();
        String method = request.method();
        String shown = method.length() <= METHOD_LENGTH_MAX ? method : method.substring(0, METHOD_LENGTH_MAX);
        Span span = tracer.spanBuilder(shown + " " + exchange.route())
                .setParent(parent)
                .setSpanKind(SpanKind.SERVER)
                .startSpan();
        exchange.put(SPAN, span);
        request.fields().remove("traceparent");
        request.fields().remove("tracestate");
        W3C.inject(Context.root().with(span), request.fields(), TracingFilter::set);
        return Verdict.CONTINUE;
    }

    private static void set(@Nullable Fields fields, String name, String value) {
        if (fields != null) {
            fields.set(name, value);
        }
    }

    @Override
    public void onEnd(Exchange exchange) {
        Span span = exchange.get(SPAN);
        if (span == null) {
            return;
        }
        if (span.isRecording()) {
            describe(span, exchange);
        }
        span.end();
    }

    private static void describe(Span span, Exchange exchange) {
        RequestHead request = exchange.request();
        GatewayError error = exchange.error();
        span.setAttribute(METHOD, request.method());
        span.setAttribute(PATH, request.path());
        span.setAttribute(SCHEME, exchange.scheme());
        span.setAttribute(HOST, exchange.host());
        span.setAttribute(ROUTE, exchange.route());
        span.setAttribute(STATUS, (long) exchange.status());
        if (error != null) {
            ErrorKind kind = error.kind();
            span.setAttribute(ERROR, kind.label());
        }
        if (exchange.status() >= 500) {
            span.setStatus(StatusCode.ERROR);
        }
    }

    /** Does not wait for its last spans: a collector that does not answer must hold up no change. */
    @Override
    public void close() {
        SpanMemory.ofProcess().closing(provider.shutdown());
    }

    private static final class ToNobody implements SpanProcessor {

        @Override
        public void onStart(Context parent, ReadWriteSpan span) {}

        @Override
        public boolean isStartRequired() {
            return false;
        }

        @Override
        public void onEnd(ReadableSpan span) {}

        @Override
        public boolean isEndRequired() {
            return false;
        }
    }

    private static final class FieldsGetter implements TextMapGetter<Fields> {

        @Override
        public @Nullable String get(@Nullable Fields fields, String name) {
            String value = fields == null ? null : fields.get(name);
            return value != null && name.equals("tracestate") ? TraceStates.bounded(value) : value;
        }
    }
}
