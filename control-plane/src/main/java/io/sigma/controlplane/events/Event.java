package io.sigma.controlplane.events;

/**
 * Something that happened, as the log has it.
 *
 * @param number greater than that of every event before
 * @param atMillis when the log took it, by the database's clock
 * @param ordinal its place among the events of its subject, such as the number of a revision; 0 when it has none
 * @param data one JSON object, as a text
 */
public record Event(long number, long atMillis, String type, long ordinal, String data) {

    /** Says that some events are lost. */
    public static final String RESET = "reset";

    /** Says that there is a revision. */
    public static final String REVISION = "revision";

    /** Returns what a client names to go on after this event. It tells events of a database apart that was set back. */
    public String id() {
        return number + "-" + atMillis;
    }
}
