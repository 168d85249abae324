package io.sigma.dataplane.engine.framed;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The requests in progress of one client, in a list that the requests themselves make. Confined to the event loop. */
final class CallList {

    private @Nullable FramedCall first;
    private int size;

    int size() {
        return size;
    }

    /** Returns the one that was added last; null for none. */
    @Nullable
    FramedCall first() {
        return first;
    }

    void add(FramedCall call) {
        call.next = first;
        if (first != null) {
            first.previous = call;
        }
        first = call;
        size++;
    }

    /** Returns false when {@code call} is not in the list. */
    @SuppressWarnings("ReferenceEquality") // A call is its object.
    boolean remove(FramedCall call) {
        if (call.previous != null) {
            call.previous.next = call.next;
        } else if (first == call) {
            first = call.next;
        } else {
            return false;
        }
        if (call.next != null) {
            call.next.previous = call.previous;
        }
        call.previous = null;
        call.next = null;
        size--;
        return true;
    }

    /**
     * Gives up all requests, whose client is gone.
     *
     * @param inOrder whether the client has ended after its last request: those that want no answer are still sent
     */
    void abandon(boolean inOrder) {
        ArrayDeque<FramedCall> kept = new ArrayDeque<>(0);
        for (FramedCall call = first; call != null; call = first) {
            if (inOrder && call.isOneWay()) {
                remove(call);
                kept.push(call);
            } else {
                call.abandon();
            }
        }
        // Some may have been sent meanwhile, over connections that others had.
        kept.stream().filter(call -> !call.isOver()).forEach(this::add);
    }
}
