package io.sigma.e2e.chaos;

import io.sigma.e2e.Await;
import io.sigma.e2e.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Another proxy that the same attacks are tried on, with as many connections to a node as the gateway has. */
enum Peer {
    NGINX,
    HAPROXY;

    /** Returns those that are on the path. */
    static List<Peer> installed() {
        return Arrays.stream(values()).filter(peer -> peer.binary().isPresent()).toList();
    }

    private Optional<Path> binary() {
        return Stream.concat(Arrays.stream(System.getenv("PATH").split(":")), Stream.of("/usr/sbin"))
                .map(folder -> Path.of(folder, toString()))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** One that runs; its memory is that of its first process with traffic. */
    record Running(Process process, Target target) implements AutoCloseable {

        long pid() {
            return process.descendants().findFirst().map(ProcessHandle::pid).orElse(process.pid());
        }

        long logBytes() {
            return 0;
        }

        boolean isAlive() {
            return process.isAlive();
        }

        @Override
        public void close() {
            process.destroy();
        }
    }

    /** Starts one in a folder. */
    Running start(Path folder, int nodePort, int badPort) throws IOException {
        int[] ports = Ports.free(3);
        Tls.certificate(folder);
        Files.writeString(
                folder.resolve("both.pem"),
                Files.readString(folder.resolve("cert.pem")) + Files.readString(folder.resolve("key.pem")));
        Files.createDirectories(folder.resolve("static"));
        Files.writeString(folder.resolve("static/file.txt"), "compressible ".repeat(80_000));
        String text =
                this == NGINX ? nginx(folder, ports, nodePort, badPort) : haproxy(folder, ports, nodePort, badPort);
        Path config = Files.writeString(folder.resolve("config"), text);
        String binary = binary().orElseThrow().toString();
        List<String> line = this == NGINX
                ? List.of(binary, "-p", folder.toString(), "-e", "error.log", "-c", config.toString())
                : List.of(binary, "-f", config.toString());
        Process process = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output.log").toFile())
                .start();
        Target target = new Target(toString(), ports[0], ports[1], ports[2]);
        Await.until(this + " answers", () -> !process.isAlive() || answers(target.http()));
        if (!process.isAlive()) {
            throw new IOException(Files.readString(folder.resolve("output.log")));
        }
        return new Running(process, target);
    }

    private static boolean answers(int port) {
        try (Http1Client client =
                new Http1Client("first", () -> Wire.connect("127.0.0.1", port, 0), false, Http1Client.get("/small"))) {
            client.request();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static String nginx(Path folder, int[] ports, int nodePort, int badPort) {
        return """
                daemon off;
                user root;
                worker_processes 2;
                worker_rlimit_nofile 20000;
                pid nginx.pid;
                error_log error.log crit;
                events { worker_connections 9000; }
                http {
                  access_log off;
                  client_body_temp_path body;
                  proxy_temp_path proxy;
                  fastcgi_temp_path fastcgi;
                  uwsgi_temp_path uwsgi;
                  scgi_temp_path scgi;
                  gzip on;
                  gzip_types text/plain;
                  upstream good { server 127.0.0.1:%d; keepalive 256; }
                  upstream bad { server 127.0.0.1:%d; keepalive 256; }
                  proxy_http_version 1.1;
                  proxy_set_header Connection "";
                  server {
                    listen 127.0.0.1:%d backlog=1024;
                    listen 127.0.0.1:%d http2 backlog=1024;
                    listen 127.0.0.1:%d ssl http2 backlog=1024;
                    ssl_protocols TLSv1.2 TLSv1.3;
                    ssl_certificate cert.pem;
                    ssl_certificate_key key.pem;
                    location / { proxy_pass http://good; }
                    location /bad/ { proxy_pass http://bad; }
                    location /static/ { root %s; }
                  }
                }
                """.formatted(nodePort, badPort, ports[0], ports[1], ports[2], folder);
    }

    private static String haproxy(Path folder, int[] ports, int nodePort, int badPort) {
        return """
                global
                  nbthread 2
                  maxconn 9000
                defaults
                  mode http
                  timeout connect 2s
                  timeout client 60s
                  timeout server 60s
                  timeout http-request 10s
                frontend all
                  bind 127.0.0.1:%d
                  bind 127.0.0.1:%d proto h2
                  bind 127.0.0.1:%d ssl crt %s alpn h2,http/1.1
                  use_backend bad if { path_beg /bad/ }
                  default_backend good
                backend good
                  server node 127.0.0.1:%d maxconn 256
                backend bad
                  server node 127.0.0.1:%d maxconn 256
                """.formatted(ports[0], ports[1], ports[2], folder.resolve("both.pem"), nodePort, badPort);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
