package io.sigma.controlplane.api.operation;

import io.sigma.controlplane.access.Accounts;
import io.sigma.controlplane.analysis.Analyst;
import io.sigma.controlplane.api.contract.Contract;
import io.sigma.controlplane.fleet.Fleet;
import io.sigma.controlplane.resource.ResourceService;
import io.sigma.controlplane.resource.StateService;
import io.sigma.controlplane.settings.ControlPlaneSettings;
import io.sigma.controlplane.store.Store;
import io.sigma.controlplane.tail.Tenures;

/**
 * The services that operations use.
 */
public record Services(
        ControlPlaneSettings settings,
        Contract contract,
        Store store,
        ResourceService resources,
        StateService states,
        Fleet fleet,
        Analyst analyst,
        Accounts accounts,
        Tenures tenures,
        String version) {}
