package io.sigma.dataplane.framed;

import com.alipay.remoting.AsyncContext;
import com.alipay.remoting.BizContext;
import com.alipay.remoting.rpc.RpcClient;
import com.alipay.remoting.rpc.RpcServer;
import com.alipay.remoting.rpc.protocol.AsyncUserProcessor;
import io.sigma.dataplane.testkit.Config;
import java.io.Serial;
import java.io.Serializable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A client and servers of the library of Bolt. */
final class BoltParty {

    static {
        // It would look for versions of logging that are not here.
        System.setProperty("sofa.middleware.log.disable", "true");
    }

    private BoltParty() {}

    /** A request: the server answers with its name and {@code text}, {@code pauseMillis} later. */
    static final class Order implements Serializable {

        @Serial
        private static final long serialVersionUID = 1;

        final String text;
        final int pauseMillis;

        Order(String text) {
            this(text, 0);
        }

        Order(String text, int pauseMillis) {
            this.text = text;
            this.pauseMillis = pauseMillis;
        }
    }

    /** A request of another class. */
    static final class Invoice implements Serializable {

        @Serial
        private static final long serialVersionUID = 1;

        final String text;

        Invoice(String text) {
            this.text = text;
        }
    }

    /** A server that answers orders and invoices. */
    static final class Server implements AutoCloseable {

        private final String name;
        private final int port = Config.freePort();
        private final RpcServer server = new RpcServer("127.0.0.1", port);
        private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
        final AtomicInteger handled = new AtomicInteger();
        final CompletableFuture<String> oneWay = new CompletableFuture<>();

        Server(String name) {
            this.name = name;
            server.registerUserProcessor(new Orders());
            server.registerUserProcessor(new Invoices());
            server.startup();
        }

        int port() {
            return port;
        }

        String url() {
            return FramedContract.node(port);
        }

        @Override
        public void close() {
            later.shutdownNow();
            if (server.isStarted()) {
                server.shutdown();
            }
        }

        private final class Orders extends AsyncUserProcessor<Order> {

            @Override
            public void handleRequest(BizContext context, AsyncContext answer, Order order) {
                handled.incrementAndGet();
                if (order.text.equals("throw")) {
                    throw new IllegalStateException("as it was asked");
                }
                if (order.text.equals("one way")) {
                    oneWay.complete(order.text);
                    return;
                }
                if (order.pauseMillis == 0) {
                    answer.sendResponse(name + ": " + order.text);
                } else {
                    later.schedule(
                            () -> answer.sendResponse(name + ": " + order.text),
                            order.pauseMillis,
                            TimeUnit.MILLISECONDS);
                }
            }

            @Override
            public String interest() {
                return Order.class.getName();
            }
        }

        private final class Invoices extends AsyncUserProcessor<Invoice> {

            @Override
            public void handleRequest(BizContext context, AsyncContext answer, Invoice invoice) {
                answer.sendResponse(name + ": invoice " + invoice.text);
            }

            @Override
            public String interest() {
                return Invoice.class.getName();
            }
        }
    }

    static RpcClient client() {
        RpcClient client = new RpcClient();
        client.startup();
        return client;
    }
}
