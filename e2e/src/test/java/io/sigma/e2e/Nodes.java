package io.sigma.e2e;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A real upstream node that answers with its name and the target that reached it: nginx where the machine has it,
 * otherwise the JDK's HTTP server.
 */
interface Nodes extends AutoCloseable {

    int port();

    @Override
    void close();

    static Nodes start(String name, Path folder) throws IOException {
        return Files.isExecutable(Nginx.BINARY) ? Nginx.start(name, folder) : Jdk.start(name);
    }

    /** nginx in the foreground, as a child. */
    record Nginx(int port, Process process) implements Nodes {

        static final Path BINARY = Path.of("/usr/sbin/nginx");

        static Nodes start(String name, Path folder) throws IOException {
            int port = Ports.free();
            Path home = Files.createDirectories(folder.resolve("nginx-" + name));
            Path config = Files.writeString(home.resolve("nginx.conf"), """
                    daemon off;
                    pid nginx.pid;
                    error_log error.log;
                    events { worker_connections 512; }
                    http {
                      access_log off;
                      client_body_temp_path body;
                      proxy_temp_path proxy;
                      fastcgi_temp_path fastcgi;
                      uwsgi_temp_path uwsgi;
                      scgi_temp_path scgi;
                      server {
                        listen 127.0.0.1:%d;
                        location / {
                          default_type text/plain;
                          return 200 "%s $request_uri forwarded-for=$http_x_forwarded_for\\n";
                        }
                      }
                    }
                    """.formatted(port, name));
            Process process = new ProcessBuilder(
                            BINARY.toString(), "-p", home.toString(), "-c", config.toString(), "-e", "error.log")
                    .redirectErrorStream(true)
                    .redirectOutput(home.resolve("output.log").toFile())
                    .start();
            Await.until("nginx " + name + " answers", () -> Http.isOk("http://127.0.0.1:" + port + "/"));
            return new Nginx(port, process);
        }

        @Override
        public void close() {
            process.destroy();
            try {
                if (!process.waitFor(10, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The JDK's server, for machines without nginx. */
    record Jdk(int port, HttpServer server) implements Nodes {

        static Nodes start(String name) throws IOException {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 512);
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.createContext("/", exchange -> {
                String from = String.valueOf(exchange.getRequestHeaders().getFirst("X-Forwarded-For"));
                byte[] body = (name + " " + exchange.getRequestURI() + " forwarded-for=" + from + "\n")
                        .getBytes(StandardCharsets.UTF_8);
                exchange.getRequestBody().readAllBytes();
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            server.start();
            return new Jdk(server.getAddress().getPort(), server);
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }
}
