package io.sigma.controlplane.fleet;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The table through which control planes ask each other's gateways. Thread-safe. */
final class QuestionTable {

    /**
     * The payload of a notification is {@code ask} or {@code answer}, the control plane that it is for, and the
     * question's id.
     */
    static final String CHANNEL = "sigma_question";

    private static final String ID = "id";
    private static final int FORGET_SECONDS = 60;

    private final Pool pool;

    QuestionTable(Pool pool) {
        this.pool = pool;
    }

    /** Writes a question, which has an {@code id}, and wakes the control plane that the gateway hangs on. */
    Future<Void> ask(JsonObject question, String asking, String controlPlane) {
        String id = question.getString(ID);
        return pool.preparedQuery("insert into route_questions (id, control_plane, question) values ($1, $2, $3)")
                .execute(Tuple.of(UUID.fromString(id), asking, question))
                .compose(done -> notify("ask", controlPlane, id));
    }

    /** Returns a question; null when nobody waits for its answer any more. */
    Future<@Nullable JsonObject> question(String id) {
        return pool.preparedQuery("select question from route_questions where id = $1 and answer is null")
                .execute(Tuple.of(UUID.fromString(id)))
                .map(rows -> read(rows, "question"));
    }

    /** Writes an answer, which has the {@code id} of its question, and wakes the control plane that asked. */
    Future<Void> answer(JsonObject answer) {
        String id = answer.getString(ID);
        return pool.preparedQuery("update route_questions set answer = $2 where id = $1 returning control_plane")
                .execute(Tuple.of(UUID.fromString(id), answer))
                .compose(rows -> rows.size() == 0
                        ? Future.succeededFuture()
                        : notify("answer", rows.iterator().next().getString("control_plane"), id));
    }

    /** Returns an answer and forgets the question; null when there is none. */
    Future<@Nullable JsonObject> take(String id) {
        return pool.preparedQuery("delete from route_questions where id = $1 and answer is not null returning answer")
                .execute(Tuple.of(UUID.fromString(id)))
                .map(rows -> read(rows, "answer"));
    }

    private static @Nullable JsonObject read(RowSet<Row> rows, String column) {
        return rows.size() == 0 ? null : rows.iterator().next().getJsonObject(column);
    }

    private Future<Void> notify(String what, String controlPlane, String id) {
        return pool.preparedQuery("select pg_notify($1, $2)")
                .execute(Tuple.of(CHANNEL, what + " " + controlPlane + " " + id))
                .mapEmpty();
    }

    /** Deletes what nobody waits for any more. */
    Future<Void> forget() {
        return pool.preparedQuery("delete from route_questions where asked_at < now() - make_interval(secs => $1)")
                .execute(Tuple.of((double) FORGET_SECONDS))
                .mapEmpty();
    }
}
