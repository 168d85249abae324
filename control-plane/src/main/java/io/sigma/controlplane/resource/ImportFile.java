package io.sigma.controlplane.resource;

import io.sigma.format.SigmaJson;

/** A sigma.json file whose resources have been admitted, each by itself. */
public record ImportFile(SigmaJson content) {}
