package io.sigma.controlplane.settings;

import io.sigma.settings.Setting;

/** Limits of the kept revisions, audit records and events. */
public record HistorySettings(
        @Setting(
                value = "Interval of the poll for revisions whose notification was lost, in milliseconds.",
                defaultValue = "2000",
                min = 50,
                max = 600_000)
        int revisionPollMillis,

        @Setting(
                value = "Number of revisions in memory. A gateway that is at most this number of revisions behind "
                        + "receives a delta.",
                defaultValue = "512",
                min = 1,
                max = 100_000)
        int revisionsInMemoryMax,

        @Setting(
                value = "Number of newest revisions that the history keeps completely. Of older revisions it keeps "
                        + "checkpoints.",
                defaultValue = "100000",
                min = 100,
                max = 1_000_000_000)
        int revisionsKeptMax,

        @Setting(
                value = "Age up to which the history keeps all revisions, in days. The newest 100 revisions are "
                        + "always kept. 0 removes the limit of age.",
                defaultValue = "365",
                min = 0,
                max = 36_500)
        int revisionsKeptDays,

        @Setting(
                value = "Length of a checkpoint span, in hours. Of older revisions, the last one in each span is "
                        + "kept as a checkpoint.",
                defaultValue = "24",
                min = 1,
                max = 8760)
        int revisionCheckpointHours,

        @Setting(
                value = "Number of kept checkpoints. 0 keeps no older revision.",
                defaultValue = "1000",
                min = 0,
                max = 10_000)
        int revisionCheckpointsMax,

        @Setting(
                value = "Number of kept audit records. The hash of the last deleted record is kept, too.",
                defaultValue = "1000000",
                min = 1000,
                max = 1_000_000_000)
        int auditKeptMax,

        @Setting(
                value = "Number of stored events. A client of the event stream that reconnects continues from them.",
                defaultValue = "5000",
                min = 100,
                max = 100_000)
        int eventsKeptMax) {}
