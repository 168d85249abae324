package io.sigma.dataplane.engine.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.uring.IoUring;
import io.sigma.dataplane.engine.body.RefusingAllocator;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class PipedBytesTest {

    @Test
    void pipeIsGivenBackWhenThereIsNoMemoryForWhatIsInIt() {
        assumeTrue(IoUring.isAvailable() && Splice.isKnown());
        Pipes pipes = new Pipes();
        int before = Pipes.open();
        RefusingAllocator buffers = new RefusingAllocator();
        buffers.refuse();
        RingChannel channel = new RingChannel((short) 1);
        try {
            PipedBytes piece = new PipedBytes(Objects.requireNonNull(pipes.take()), 10, new Receiving(channel));
            assertThat(Pipes.open()).isEqualTo(before + 1);
            assertThatThrownBy(() -> piece.read(buffers)).isInstanceOf(OutOfMemoryError.class);
            assertThat(Pipes.open()).isEqualTo(before);
        } finally {
            channel.unsafe().closeForcibly();
        }
    }
}
