package io.sigma.dataplane;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.EvaluationResult;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.handler.ssl.SslContextBuilder;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.PemTrustOptions;
import java.io.File;
import java.io.FileInputStream;
import java.io.RandomAccessFile;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The rule that only one package reaches the disk finds each way of reaching it. */
final class DiskRuleTest {

    /** Breaks the rule once in each method. Never run. */
    @SuppressWarnings("unused")
    private static final class Breaker {
        void files(Path path) throws Exception {
            Files.size(path);
        }

        void channel(Path path) throws Exception {
            FileChannel.open(path).close();
        }

        void stream(String path) throws Exception {
            new FileInputStream(path).close();
        }

        void random(String path) throws Exception {
            new RandomAccessFile(path, "r").close();
        }

        void exists(File file) {
            file.exists();
        }

        Path realPath(Path path) throws Exception {
            return path.toRealPath();
        }

        void fileSystem(Vertx vertx) {
            vertx.fileSystem().readFileBlocking("a");
        }

        void sendFile(HttpServerResponse response) {
            response.sendFile("a");
        }

        void region(File file) {
            new DefaultFileRegion(file, 0, 1);
        }

        void sslContext(File file) {
            SslContextBuilder.forClient().trustManager(file);
        }

        void pem(PemTrustOptions options) {
            options.addCertPath("a");
        }

        void command() throws Exception {
            new ProcessBuilder("a").start();
        }

        void runtime() throws Exception {
            Runtime.getRuntime().exec(new String[] {"a"});
        }

        void socket() {
            UnixDomainSocketAddress.of("a");
        }

        void nettySocket() {
            new DomainSocketAddress("a");
        }

        void byName(String name) throws Exception {
            Class.forName(name);
        }
    }

    /** Does not break it. */
    @SuppressWarnings("unused")
    private static final class Keeper {
        Path names(Path path) {
            return path.resolve("a").normalize();
        }

        void sendsWhatIsOpen(HttpServerResponse response, FileChannel open) {
            response.sendFile(open);
            new DefaultFileRegion(open, 0, 1);
        }
    }

    private static EvaluationResult look(Class<?> at) {
        JavaClasses classes = new ClassFileImporter().importClasses(at);
        return noClasses().should(DiskRule.reachTheDisk()).evaluate(classes);
    }

    @Test
    void eachWayToTheDiskIsFound() {
        String found = String.join("\n", look(Breaker.class).getFailureReport().getDetails());
        for (var method : Breaker.class.getDeclaredMethods()) {
            assertThat(found).contains("Breaker." + method.getName() + "(");
        }
    }

    @Test
    void namesAloneAndWhatIsOpenAreFine() {
        assertThat(look(Keeper.class).hasViolation()).isFalse();
    }
}
