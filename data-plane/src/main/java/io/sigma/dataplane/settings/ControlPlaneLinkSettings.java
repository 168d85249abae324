package io.sigma.dataplane.settings;

import io.sigma.settings.Setting;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The name of a gateway, and the control planes that it follows. */
public record ControlPlaneLinkSettings(
        @Setting("Name of this gateway. The default is the host name with a random suffix, stored in dataDir.")
        @Nullable
        String gatewayId,

        @Setting(
                value = "Cluster ports of control planes, host[:port] (default port 9090), in order of preference.",
                defaultValue = "")
        List<String> controlPlanes,

        @Setting(
                value = "Token with which a gateway enrolls, at least 16 characters. When absent, it is generated "
                        + "once and stored in dataDir.",
                secret = true)
        @Nullable
        String joinToken) {

    public ControlPlaneLinkSettings {
        controlPlanes = List.copyOf(controlPlanes);
    }

    @Override
    public String toString() {
        return "ControlPlaneLinkSettings[gatewayId=" + gatewayId + ", controlPlanes=" + controlPlanes + ", joinToken="
                + (joinToken == null ? "absent" : "[redacted]") + "]";
    }
}
