package io.sigma.dataplane.settings;

import io.sigma.settings.Setting;

/** The bounds of data that wait in a gateway, in memory and on the disk. */
public record MemorySettings(
        @Setting(
                value = "Memory for data that clients and nodes have sent and the gateway has not passed on yet, and "
                        + "for data that they have not read yet, in bytes. 0 stands for a quarter of heap or direct "
                        + "memory, whichever is smaller.",
                defaultValue = "0",
                min = 0)
        long heldBytesMax,

        @Setting(
                value = "Largest number of bytes of responses that wait for slow clients on the disk, under dataDir, "
                        + "so that nodes need not wait. 0 turns this off.",
                defaultValue = "1073741824",
                min = 0)
        long spoolBytesMax,

        @Setting(
                value = "Largest number of bytes of one response that wait on the disk for its client.",
                defaultValue = "67108864",
                min = 0)
        long spoolResponseBytesMax) {}
