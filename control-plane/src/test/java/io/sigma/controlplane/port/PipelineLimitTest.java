package io.sigma.controlplane.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;

final class PipelineLimitTest {

    private final EmbeddedChannel channel = new EmbeddedChannel(new PipelineLimit());

    private void ask() {
        channel.pipeline().fireChannelRead(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
    }

    private void answer(HttpResponseStatus status) {
        channel.writeOutbound(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.EMPTY_BUFFER));
    }

    @Test
    void requestsThatAreAnsweredAreNotCounted() {
        for (int i = 0; i < 3 * PipelineLimit.REQUESTS_MAX; i++) {
            ask();
            answer(HttpResponseStatus.CONTINUE);
            answer(HttpResponseStatus.OK);
        }
        assertThat(channel.isOpen()).isTrue();
        assertThat(channel.inboundMessages()).hasSize(3 * PipelineLimit.REQUESTS_MAX);
    }

    @Test
    void oneRequestTooManyEndsTheConnectionAndGoesNowhere() {
        for (int i = 0; i < PipelineLimit.REQUESTS_MAX; i++) {
            ask();
        }
        assertThat(channel.isOpen()).isTrue();
        ask();
        assertThat(channel.isOpen()).isFalse();
        assertThat(channel.inboundMessages()).hasSize(PipelineLimit.REQUESTS_MAX);
    }
}
