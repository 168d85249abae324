package io.sigma.dataplane.engine.relay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sigma.dataplane.disk.ServedFile;
import io.sigma.dataplane.engine.tunnel.TunnelEnd;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.loop.Loop;
import io.sigma.model.ServerLimits;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The memory of waiting bytes is given back, whatever happens to the file. */
final class SpoolTest {

    private static final int PIECE_BYTES = 16 * 1024;
    private static final int ENOUGH = 12;

    @TempDir
    Path folder;

    private final List<Runnable> tasks = new ArrayList<>();

    private final Loop loop = new Loop(0, new Loop.Scheduler() {
        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        @Override
        public void schedule(Runnable task, long millis) {
            // The client is not too slow in so short a time.
        }
    });

    private void runTasks() {
        while (!tasks.isEmpty()) {
            tasks.removeFirst().run();
        }
    }

    private final class Stalled extends ClientStream {

        private boolean full = true;
        private int finished;
        private Runnable onGrew = () -> {};

        Stalled() {
            super((ClientSocket) Proxy.newProxyInstance(
                    ClientSocket.class.getClassLoader(),
                    new Class<?>[] {ClientSocket.class},
                    (self, method, arguments) -> switch (method.getName()) {
                        case "loop" -> loop;
                        case "limits" ->
                            ServerLimits.builder().responseBytesPerSecondMin(0).build();
                        default -> throw new AssertionError(method.getName());
                    }));
        }

        @Override
        public boolean isHttp2() {
            return false;
        }

        @Override
        public boolean isHeadWritten() {
            return true;
        }

        @Override
        public void writeContinue() {}

        @Override
        public void writeInterim(int status, Fields fields) {}

        @Override
        public void respond(ResponseHead head) {}

        @Override
        public void write(ByteBuf piece) {
            piece.release();
        }

        @Override
        public boolean isFull(int readAhead) {
            return full;
        }

        @Override
        public long undelivered() {
            return 0;
        }

        @Override
        protected long unread() {
            return 0;
        }

        @Override
        public void finish(@Nullable Fields trailers) {
            finished++;
        }

        @Override
        protected TunnelEnd tunnelEnd() {
            throw new AssertionError();
        }

        @Override
        protected void answerSwitch(ResponseHead head) {}

        @Override
        public void abort(long code) {}

        @Override
        protected void closeConnection() {}

        @Override
        public ResponseHead head(int status) {
            throw new AssertionError();
        }

        @Override
        public void answer(ResponseHead head, byte[] body) {}

        @Override
        public void answerFile(ResponseHead head, ServedFile file, long offset, long length) {}

        @Override
        public boolean isCommitted() {
            return true;
        }

        @Override
        public boolean isAnswered() {
            return false;
        }

        @Override
        public void abort() {}

        @Override
        public void closeAfterAnswer() {}

        @Override
        public void pause() {}

        @Override
        public void resume() {}

        @Override
        public void grew(long bytes) {
            onGrew.run();
        }
    }

    private static Spool spool(ClientStream client, SpoolFiles files) {
        return new Spool(client.readsSlowly(), client, files, "client");
    }

    private void givenBack(Path spools, Executor worker) {
        SpoolFiles files = new SpoolFiles(spools, 64L << 20, 64L << 20, 1, worker);
        assertThat(files.takeFile()).isTrue();
        Spool spool = spool(new Stalled(), files);
        List<ByteBuf> pieces = new ArrayList<>();
        for (int i = 0; i < ENOUGH; i++) {
            ByteBuf piece = Unpooled.directBuffer(PIECE_BYTES).writeZero(PIECE_BYTES);
            pieces.add(piece);
            spool.add(piece);
        }
        runTasks();
        // The node waits, instead of for a file.
        assertThat(spool.isFull()).isTrue();
        assertThat(spool.bytes()).isEqualTo((long) ENOUGH * PIECE_BYTES);
        spool.close();
        runTasks();
        assertThat(pieces).allSatisfy(piece -> assertThat(piece.refCnt()).isZero());
        assertThat(files.bytes()).isZero();
        assertThat(files.takeFile()).isTrue();
    }

    @Test
    void fullDiskIsSaidOnceWhileManyResponsesFail() {
        SpoolFiles files = new SpoolFiles(folder.resolve("spool"), 64L << 20, 64L << 20, 1, Runnable::run);
        Logger logger = (Logger) LoggerFactory.getLogger(SpoolFiles.class);
        ListAppender<ILoggingEvent> said = new ListAppender<>();
        said.start();
        logger.addAppender(said);
        try {
            for (int i = 0; i < 1000; i++) {
                files.failed(new IOException("No space left on device"));
            }
        } finally {
            logger.detachAppender(said);
        }
        assertThat(said.list).hasSize(1);
    }

    @Test
    void pieceIsGivenBackWhenTheConnectionEndsBecauseTooMuchIsHeld() {
        SpoolFiles files = new SpoolFiles(folder.resolve("spool"), 64L << 20, 64L << 20, 1, Runnable::run);
        assertThat(files.takeFile()).isTrue();
        Stalled client = new Stalled();
        Spool spool = spool(client, files);
        client.onGrew = spool::close;
        ByteBuf piece = Unpooled.directBuffer(PIECE_BYTES).writeZero(PIECE_BYTES);
        spool.add(piece);
        assertThat(piece.refCnt()).isZero();
        assertThat(spool.bytes()).isZero();
    }

    @Test
    void endComesOnceAlsoWhenTheClientCatchesUpWithAllThatWaits() {
        SpoolFiles files = new SpoolFiles(folder.resolve("spool"), 64L << 20, 64L << 20, 1, Runnable::run);
        assertThat(files.takeFile()).isTrue();
        Stalled client = new Stalled();
        Spool spool = spool(client, files);
        for (int i = 0; i < 5; i++) {
            spool.add(Unpooled.directBuffer(PIECE_BYTES).writeZero(PIECE_BYTES));
        }
        spool.end(null);
        client.full = false;
        spool.pump();
        assertThat(spool.bytes()).isZero();
        assertThat(client.finished).isEqualTo(1);
    }

    @Test
    void placeIsGivenBackWhenNobodyWritesTheFile() {
        givenBack(folder.resolve("spool"), task -> {
            throw new RejectedExecutionException("on purpose");
        });
    }

    @Test
    void placeIsGivenBackWhenTheFileFailsInAnotherWayThanFilesDo() {
        Path broken = (Path) Proxy.newProxyInstance(
                Path.class.getClassLoader(), new Class<?>[] {Path.class}, (self, method, arguments) -> {
                    throw new UnsupportedOperationException("on purpose");
                });
        givenBack(broken, Runnable::run);
    }
}
