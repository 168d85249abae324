package io.sigma.dataplane.takeover;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The side of the process that takes the place of another one. Until {@link #taken} the other one goes on as if nothing
 * had happened, whatever fails here. Not thread-safe; blocks.
 */
public final class Takeover implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Takeover.class);

    private final Path dataDir;
    private final ControlConnection connection;
    private Offer offer;

    private Takeover(Path dataDir, ControlConnection connection, Offer offer) {
        this.dataDir = dataDir;
        this.connection = connection;
        this.offer = offer;
    }

    /**
     * Asks the process that serves with a data directory for its sockets.
     *
     * @param version of this build
     * @param loops event loops on which this process accepts
     * @return null when no process serves with that directory
     * @throws IOException when it hands nothing over
     */
    public static @Nullable Takeover begin(Path dataDir, String version, int loops) throws IOException {
        ControlConnection connection = ControlSocket.connect(dataDir);
        if (connection == null) {
            return null;
        }
        try {
            connection.send(Kind.HELLO, Protocol.hello(version, loops), List.of(), Protocol.ANSWER_MILLIS);
            ControlConnection.Message answer = connection.receive(Protocol.ANSWER_MILLIS);
            answer.descriptors().forEach(Kernel::close);
            if (answer.kind() == Kind.REFUSED) {
                throw new IOException("the running gateway hands nothing over: "
                        + answer.body().path("detail").asText());
            }
            Protocol.expect(Kind.OFFER, answer.kind());
            Offer offer = Offer.receive(connection, answer.body());
            LOG.info(
                    "Takes over from a gateway of version {}: {} addresses",
                    answer.body().path("version").asText(),
                    offer.sockets().size());
            return new Takeover(dataDir, connection, offer);
        } catch (IOException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** Returns what the other process has, as it said last. Whoever takes its descriptors closes them. */
    public Offer offer() {
        return offer;
    }

    /**
     * Says what this process will serve.
     *
     * @param serving null when a file says that
     * @return what to go on with, an object; null when the other process serves another revision by now, of which
     *     {@link #offer()} is
     * @throws ProcessGone when the other process has ended
     * @throws IOException when it goes on and gives nothing
     */
    public @Nullable JsonNode ready(@Nullable Serving serving) throws IOException {
        try {
            return ask(serving);
        } catch (IOException e) {
            // A process that only closed the connection still accepts connections of clients.
            throw ControlSocket.isListening(dataDir) ? e : new ProcessGone(e);
        }
    }

    private @Nullable JsonNode ask(@Nullable Serving serving) throws IOException {
        ObjectNode body = Protocol.body();
        if (serving != null) {
            serving.put(body);
        }
        connection.send(Kind.READY, body, List.of(), Protocol.ANSWER_MILLIS);
        ControlConnection.Message answer = receive();
        if (answer.kind() == Kind.OTHER_REVISION) {
            ControlConnection.Message next = receive();
            Protocol.expect(Kind.OFFER, next.kind());
            offer = Offer.receive(connection, next.body());
            return null;
        }
        Protocol.expect(Kind.STATE, answer.kind());
        return answer.body();
    }

    private ControlConnection.Message receive() throws IOException {
        ControlConnection.Message answer = connection.receive(Protocol.ANSWER_MILLIS);
        answer.descriptors().forEach(Kernel::close);
        return answer;
    }

    /**
     * Says that this process accepts, and waits until the other one has stopped.
     *
     * @throws IOException when the other process is gone or does not answer
     */
    public void taken() throws IOException {
        connection.send(Kind.TAKEN, Protocol.body(), List.of(), Protocol.ANSWER_MILLIS);
        Protocol.expect(Kind.LEFT, receive().kind());
    }

    @Override
    public void close() {
        connection.close();
    }
}
