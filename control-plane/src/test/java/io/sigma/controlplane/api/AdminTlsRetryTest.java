package io.sigma.controlplane.api;

import io.sigma.controlplane.testing.Eventually;
import io.sigma.controlplane.testing.TestCertificate;
import io.sigma.controlplane.testing.TestSettings;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AdminTlsRetryTest {

    @TempDir
    Path dir;

    private void write(TestCertificate certificate) throws Exception {
        Files.writeString(dir.resolve("key.pem"), certificate.key());
        Files.writeString(dir.resolve("cert.pem"), certificate.chain());
    }

    /** Else the certificate of before would be shown until it is out of date: the files do not change again. */
    @Test
    void aCertificateThatCouldNotBeTakenOverIsTriedAgain() throws Exception {
        write(TestCertificate.create("first"));
        AdminTls tls = Objects.requireNonNull(AdminTls.of(
                TestSettings.of(
                        dir,
                        "postgresql://a:b@127.0.0.1:1/c",
                        "adminTlsCertPath",
                        dir.resolve("cert.pem").toString(),
                        "adminTlsKeyPath",
                        dir.resolve("key.pem").toString()),
                () -> Snapshot.NONE.state()));
        tls.on(new HttpServerOptions());
        AtomicInteger tries = new AtomicInteger();
        HttpServer server = (HttpServer) Proxy.newProxyInstance(
                HttpServer.class.getClassLoader(), new Class<?>[] {HttpServer.class}, (proxy, method, arguments) -> {
                    if (tries.incrementAndGet() == 1) {
                        throw new OutOfMemoryError("on purpose");
                    }
                    return Future.succeededFuture(true);
                });
        Vertx vertx = Vertx.vertx();
        Deployable follower = context -> {
            tls.follow(context.owner(), server);
            return Future.succeededFuture();
        };
        vertx.deployVerticle(follower, new DeploymentOptions().setThreadingModel(ThreadingModel.VIRTUAL_THREAD))
                .await(20, TimeUnit.SECONDS);
        write(TestCertificate.create("second"));
        Eventually.holds("it is tried again", Duration.ofSeconds(20), () -> tries.get() == 2);
        vertx.close().await(30, TimeUnit.SECONDS);
    }
}
