package io.sigma.cli.process;

import java.lang.reflect.Proxy;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the JVM at the next signal to stop: whoever sends one more does not want to wait for requests that run. The JVM
 * itself ignores it while it stops. The API is one of module jdk.unsupported, which a compiler that takes warnings for
 * errors cannot name.
 */
public final class SecondSignal {

    private static final Logger log = LoggerFactory.getLogger(SecondSignal.class);
    /** Of these numbers is the exit code of a process that a signal ended. */
    private static final int SIGNALLED = 128;

    private static final int SIGINT = 2;
    private static final int SIGTERM = 15;

    private SecondSignal() {}

    /** To be called when the first signal has come. */
    static void endsAtOnce() {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object end = Proxy.newProxyInstance(
                    handler.getClassLoader(), new Class<?>[] {handler}, (self, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            log.warn("second signal to stop: ends at once");
                            Runtime.getRuntime()
                                    .halt(SIGNALLED + (arguments[0].toString().equals("SIGINT") ? SIGINT : SIGTERM));
                        }
                        return null;
                    });
            for (String name : List.of("TERM", "INT")) {
                signal.getMethod("handle", signal, handler)
                        .invoke(null, signal.getConstructor(String.class).newInstance(name), end);
            }
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            log.debug("a second signal will be ignored", e);
        }
    }
}
