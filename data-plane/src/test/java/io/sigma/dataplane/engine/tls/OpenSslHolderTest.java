package io.sigma.dataplane.engine.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.OpenSslSessionStats;
import io.netty.handler.ssl.ReferenceCountedOpenSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.ReferenceCountUtil;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** For how long tickets are taken. */
final class OpenSslHolderTest {

    private final AtomicLong now = new AtomicLong();
    private @Nullable SslContext client;

    @BeforeEach
    void makeClient() throws SSLException {
        Assumptions.assumeTrue(OpenSsl.isAvailable());
        client = SslContextBuilder.forClient()
                .sslProvider(SslProvider.OPENSSL_REFCNT)
                .trustManager(InsecureTrustManagerFactory.INSTANCE)
                .endpointIdentificationAlgorithm("")
                .build();
    }

    @AfterEach
    void releaseClient() {
        ReferenceCountUtil.release(client);
    }

    private OpenSslHolder listener() throws Exception {
        KeyPair keys = KeyPairGenerator.getInstance("EC").generateKeyPair();
        X500Principal name = new X500Principal("CN=gateway");
        Instant today = Instant.now();
        X509Certificate certificate = new JcaX509CertificateConverter()
                .getCertificate(new JcaX509v3CertificateBuilder(
                                name,
                                BigInteger.ONE,
                                Date.from(today.minusSeconds(60)),
                                Date.from(today.plusSeconds(60)),
                                name,
                                keys.getPublic())
                        .build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
        SslContext context = SslContextBuilder.forServer(keys.getPrivate(), certificate)
                .sslProvider(SslProvider.OPENSSL_REFCNT)
                .build();
        return new OpenSslHolder((ReferenceCountedOpenSslContext) context, now::get);
    }

    /** Connects once, and returns whether the session of the connection before was resumed. */
    private boolean resumes(OpenSslHolder listener) throws Exception {
        long resumedBefore = resumed(listener);
        SSLEngine here =
                Objects.requireNonNull(client).newEngine(UnpooledByteBufAllocator.DEFAULT, "gateway.example.com", 443);
        SSLEngine there = listener.newEngine(UnpooledByteBufAllocator.DEFAULT);
        try {
            ByteBuffer up = ByteBuffer.allocateDirect(64 * 1024).flip();
            ByteBuffer down = ByteBuffer.allocateDirect(64 * 1024).flip();
            pass(here, up, there, down);
            // Tickets go out with what is written first.
            down.compact();
            there.wrap(ByteBuffer.allocateDirect(1), down);
            down.flip();
            pass(here, up, there, down);
            assertThat(there.getSession().getProtocol()).isEqualTo("TLSv1.3");
            return resumed(listener) > resumedBefore;
        } finally {
            ReferenceCountUtil.release(here);
            ReferenceCountUtil.release(there);
        }
    }

    private static long resumed(OpenSslHolder listener) {
        OpenSslSessionStats stats = ((OpenSslSessionContext) listener.sessionContext()).stats();
        return stats.ticketKeyResume() + stats.ticketKeyRenew();
    }

    private static void pass(SSLEngine here, ByteBuffer up, SSLEngine there, ByteBuffer down) throws SSLException {
        boolean moved = true;
        while (moved) {
            moved = move(here, up);
            moved |= take(there, up);
            moved |= move(there, down);
            moved |= take(here, down);
        }
    }

    private static boolean move(SSLEngine from, ByteBuffer wire) throws SSLException {
        wire.compact();
        int before = wire.position();
        from.wrap(ByteBuffer.allocate(0), wire);
        tasks(from);
        boolean moved = wire.position() > before;
        wire.flip();
        return moved;
    }

    private static boolean take(SSLEngine to, ByteBuffer wire) throws SSLException {
        int before = wire.remaining();
        if (before > 0) {
            to.unwrap(wire, ByteBuffer.allocate(32 * 1024));
        }
        boolean tasks = tasks(to);
        return tasks || wire.remaining() < before;
    }

    private static boolean tasks(SSLEngine engine) {
        boolean any = false;
        while (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
            engine.getDelegatedTask().run();
            any = true;
        }
        return any;
    }

    @Test
    void ticketsAreTakenForAnHourAfterTheirKeyWasReplaced() throws Exception {
        OpenSslHolder listener = listener();
        assertThat(resumes(listener)).isFalse();
        assertThat(resumes(listener)).isTrue();
        for (int i = 0; i < 2; i++) {
            // The client may use any that it got: one of the first key is the worst case.
            now.addAndGet(TimeUnit.MINUTES.toNanos(31));
            assertThat(resumes(listener)).isTrue();
        }
    }

    @Test
    void ticketsOfKeysThatAreGoneAreNotTaken() throws Exception {
        OpenSslHolder listener = listener();
        assertThat(resumes(listener)).isFalse();
        for (int i = 0; i < 3; i++) {
            now.addAndGet(TimeUnit.MINUTES.toNanos(31));
            ReferenceCountUtil.release(listener.newEngine(UnpooledByteBufAllocator.DEFAULT));
        }
        assertThat(resumes(listener)).isFalse();
    }

    @Test
    void listenerOfAnotherProcessTakesTheTicketsWhoseKeysItWasGiven() throws Exception {
        OpenSslHolder before = listener();
        assertThat(resumes(before)).isFalse();
        OpenSslHolder after = listener();
        after.ticketKeys(before.ticketKeys());
        assertThat(resumes(after)).isTrue();
        // Clients that come back to the process before, which still ends its connections, are resumed there, too.
        assertThat(resumes(before)).isTrue();
    }

    @Test
    void keysOfAnotherLengthAreLeftOut() throws Exception {
        OpenSslHolder listener = listener();
        List<byte[]> own = listener.ticketKeys();
        listener.ticketKeys(List.of(new byte[3]));
        assertThat(listener.ticketKeys()).usingRecursiveComparison().isEqualTo(own);
        assertThat(resumes(listener)).isFalse();
        assertThat(resumes(listener)).isTrue();
    }

    @Test
    void otherListenerTakesNone() throws Exception {
        assertThat(resumes(listener())).isFalse();
        assertThat(resumes(listener())).isFalse();
    }
}
