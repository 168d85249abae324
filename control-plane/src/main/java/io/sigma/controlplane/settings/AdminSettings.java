package io.sigma.controlplane.settings;

import io.sigma.settings.Setting;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The admin API and the dashboard: where they listen, and what they bound. */
public record AdminSettings(
        @Setting(value = "Address that the admin API and the dashboard listen on.", defaultValue = "127.0.0.1")
        String adminHost,

        @Setting(
                value = "Port of the admin API and the dashboard. 0 takes a free one.",
                defaultValue = "9080",
                min = 0,
                max = 65535)
        int adminPort,

        @Setting("PEM file with the certificate of the admin port, followed by the certificates that signed it. "
                + "With adminTlsKeyPath the port accepts only TLS. The file is read again when it changes.")
        @Nullable
        Path adminTlsCertPath,

        @Setting("PEM file with the private key of the first certificate of adminTlsCertPath.") @Nullable
        Path adminTlsKeyPath,

        @Setting("Id of a certificate of the configuration that the admin port presents instead of files. "
                + "With it the port accepts only TLS.")
        @Nullable
        String adminTlsCertificate,

        @Setting(
                value = "Addresses and CIDR blocks of trusted proxies in front of the admin API. The audit log and the "
                        + "limits of logins use the client address in X-Forwarded-For of these proxies.",
                defaultValue = "")
        List<String> adminTrustedProxies,

        @Setting(
                value = "Largest request body of the admin API, in bytes.",
                defaultValue = "1048576",
                min = 1024,
                max = 67_108_864)
        int adminBodyBytesMax,

        @Setting(
                value = "Largest file that can be imported, in bytes.",
                defaultValue = "16777216",
                min = 1024,
                max = 268_435_456)
        int importBytesMax,

        @Setting(value = "Largest batch, in bytes.", defaultValue = "16777216", min = 1024, max = 268_435_456)
        int batchBytesMax,

        @Setting(
                value = "Largest declared state, in bytes.",
                defaultValue = "67108864",
                min = 1024,
                max = 1_073_741_824)
        int configBytesMax,

        @Setting(
                value = "Largest number of operations of a batch. All other writers wait while a batch is checked.",
                defaultValue = "1000",
                min = 1,
                max = 10_000)
        int batchOperationsMax,

        @Setting(
                value = "Largest number of connections to the admin API. A further connection closes the oldest "
                        + "connection of the address with the most connections, unless that connection has an "
                        + "authenticated request in progress.",
                defaultValue = "1024",
                min = 1,
                max = 100_000)
        int adminConnectionsMax,

        @Setting(
                value = "Largest number of connections to the admin API from one address, or from one IPv6 /64. A "
                        + "further connection closes the oldest one of the address. Addresses of adminTrustedProxies "
                        + "have no such bound.",
                defaultValue = "128",
                min = 1,
                max = 100_000)
        int adminConnectionsOfAddressMax,

        @Setting(
                value = "Largest number of bytes of request bodies that the admin API keeps in memory. Beyond this "
                        + "number, a request is answered 503, or an incomplete request is ended to make room. 0 "
                        + "stands for an eighth of the heap.",
                defaultValue = "0",
                min = 0,
                max = Integer.MAX_VALUE)
        int adminBodiesBytesMax,

        @Setting(
                value = "Largest number of clients of the event stream. A further client ends the oldest client of "
                        + "the account with the most clients. If its own account would then have the same number, "
                        + "the further client is answered 503.",
                defaultValue = "100",
                min = 1,
                max = 10_000)
        int eventClientsMax) {

    public AdminSettings {
        adminTrustedProxies = List.copyOf(adminTrustedProxies);
    }

    /** Returns whether the admin port speaks TLS. */
    public boolean tls() {
        return adminTlsCertPath != null || adminTlsCertificate != null;
    }
}
