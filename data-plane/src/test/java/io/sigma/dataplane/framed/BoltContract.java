package io.sigma.dataplane.framed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.BoltFrame;
import io.sigma.dataplane.testkit.SocketNode;
import io.sigma.model.Protocol;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;

/** The base of tests of Bolt that write and read frames byte by byte. */
abstract class BoltContract extends FramedContract {

    /** A frame of version 1 that was received. */
    @SuppressWarnings("ArrayRecordComponent")
    record Received(int type, int command, int id, int status, byte[] content) {

        static Received read(Socket socket) throws IOException {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            assertThat(in.readByte()).isEqualTo((byte) 1);
            int type = in.readByte();
            int command = in.readShort();
            in.readByte();
            int id = in.readInt();
            in.readByte();
            int status = type == BoltFrame.RESPONSE ? in.readShort() : in.readInt();
            int className = in.readShort();
            int headers = in.readShort();
            int content = in.readInt();
            in.readNBytes(className + headers);
            return new Received(type, command, id, status, in.readNBytes(content));
        }
    }

    @Override
    Protocol protocol() {
        return Protocol.BOLT;
    }

    static BoltFrame answer(Received request, byte[] content) {
        BoltFrame frame = BoltFrame.v1().type(BoltFrame.RESPONSE).id(request.id);
        return frame.className("").content(content);
    }

    /** A node that answers each request with {@code name}. */
    static SocketNode named(String name) {
        return SocketNode.start(socket -> {
            while (true) {
                Received request = Received.read(socket);
                if (request.type == BoltFrame.REQUEST) {
                    socket.getOutputStream()
                            .write(answer(request, name.getBytes(UTF_8)).bytes());
                }
            }
        });
    }

    static Received call(Socket client, BoltFrame frame) throws IOException {
        client.getOutputStream().write(frame.bytes());
        return Received.read(client);
    }

    static boolean isClosed(Socket client) throws IOException {
        try {
            return client.getInputStream().read() < 0;
        } catch (SocketException e) {
            return true;
        }
    }
}
