package io.sigma.dataplane.loop;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/** The memory beside the heap that buffers take. */
public final class DirectMemory {

    private static final String NETTY_MAX = "io.netty.maxDirectMemory";
    /** The part of direct memory for buffers that Netty does not count, as a divisor: one eighth. */
    private static final int OTHERS_PART = 8;

    private DirectMemory() {}

    /**
     * Has Netty refuse a buffer before the JVM has no memory left for it: the JVM collects garbage then and sleeps half
     * a second, on the event loop that asks, for each buffer. To be called before anything of Netty is loaded; a
     * setting that is there stays.
     */
    public static void refuseEarly() {
        if (System.getProperty(NETTY_MAX) == null) {
            long max = bytesOfProcess(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class));
            System.setProperty(NETTY_MAX, String.valueOf(max - max / OTHERS_PART));
        }
    }

    private static long bytesOfProcess(@Nullable HotSpotDiagnosticMXBean machine) {
        long said = machine == null
                ? 0
                : Long.parseLong(machine.getVMOption("MaxDirectMemorySize").getValue());
        return said > 0 ? said : Runtime.getRuntime().maxMemory();
    }
}
