package io.sigma.dataplane.snapshot;

/** The snapshot that new exchanges get. One volatile reference to an immutable object. */
public final class ActiveSnapshot {

    private volatile RuntimeSnapshot current = RuntimeSnapshot.none();

    public RuntimeSnapshot current() {
        return current;
    }

    void swap(RuntimeSnapshot next) {
        current = next;
    }
}
