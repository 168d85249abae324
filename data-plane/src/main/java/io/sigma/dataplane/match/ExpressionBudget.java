package io.sigma.dataplane.match;

import com.google.re2j.Pattern;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.InvalidRequest;
import io.sigma.dataplane.loop.Kept;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Bounds the time that the expressions of one request take together. Each takes time linear in its text, but an
 * expression has up to 10,000 instructions, and each may be looked at for each character: a few of those would stop an
 * event loop for seconds. So what may cost much is read through a text that looks at the processor time now and then.
 * Confined to one thread.
 */
public final class ExpressionBudget {

    /** Processor time that is taken after the look at it has begun. */
    private static final Duration TIME = Duration.ofMillis(50);

    /** Characters times instructions that are not looked at: nearly always less than a millisecond, and 60 at most. */
    private static final long FREE = 1_000_000;

    /** Characters times instructions between two looks. */
    private static final long STEP = 50_000;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private long work;
    private long next;

    @Kept("set before it is looked at")
    private long begun;

    /** Makes it that of another request. */
    void again() {
        work = 0;
        next = 0;
    }

    /**
     * Returns whether all of {@code text} matches.
     *
     * @throws InvalidRequest as {@link #within(Supplier)} does, or when it takes too long
     */
    boolean matches(Pattern expression, String text) {
        try {
            return expression.matcher(read(expression.programSize(), text)).matches();
        } catch (StackOverflowError e) {
            throw tooLong();
        }
    }

    /**
     * Returns what {@code matching} returns, which evaluates an expression.
     *
     * @throws InvalidRequest when it takes more stack than the thread has: RE2/J calls itself for each part that an
     *     expression may leave out
     */
    public <T> T within(Supplier<T> matching) {
        try {
            return matching.get();
        } catch (StackOverflowError e) {
            throw tooLong();
        }
    }

    /**
     * Returns {@code text} as an expression may read it.
     *
     * @param programSize the number of instructions of the compiled expression
     * @return what throws {@link InvalidRequest} when it is read for too long
     */
    public CharSequence read(int programSize, String text) {
        long most = (text.length() + 1L) * programSize;
        if (work + most <= FREE) {
            work += most;
            return text;
        }
        return new Watched(text, programSize);
    }

    private void spend(long more) {
        work += more;
        if (work < next) {
            return;
        }
        long now = time();
        if (next == 0) {
            begun = now;
        } else if (now - begun > TIME.toNanos()) {
            throw tooLong();
        }
        next = work + STEP;
    }

    private static InvalidRequest tooLong() {
        return new InvalidRequest(
                ErrorKind.MATCH_TOO_LONG, "the expressions of the configuration take too long on this request");
    }

    /** A thread that waits for the processor does not use up the budget. */
    private static long time() {
        return Thread.currentThread().isVirtual() ? System.nanoTime() : THREADS.getCurrentThreadCpuTime();
    }

    private final class Watched implements CharSequence {

        private final String text;
        private final int programSize;

        Watched(String text, int programSize) {
            this.text = text;
            this.programSize = programSize;
        }

        @Override
        public char charAt(int index) {
            spend(programSize);
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.substring(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
