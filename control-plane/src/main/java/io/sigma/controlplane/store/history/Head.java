package io.sigma.controlplane.store.history;

import io.sigma.snapshot.StateHash;

/** The newest revision, as the database has it. */
public record Head(long revision, StateHash hash) {}
