package io.sigma.dataplane.match;

import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.exchange.rule.Cookies;
import io.sigma.dataplane.loop.Kept;
import io.sigma.value.PathParameters;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A lookup of a request, with the values that conditions have read. Each subject has at most one value, so that no
 * request can make a lookup branch. Confined to one thread.
 */
public final class Lookup {

    /** The largest number of remembered values; further subjects are read again each time. */
    private static final int REMEMBERED_MAX = 8;

    private static final Subject[] NONE = new Subject[0];
    private static final @Nullable String[] NO_VALUES = new String[0];

    private RequestHead head;
    private String method;
    private InetAddress client;

    // The paths of the head without parameters; mostly the same objects.
    private String merged;
    private String unmerged;

    @Kept("counts as far as remembered says")
    private Subject[] subjects = NONE;

    @Kept("counts as far as remembered says")
    private @Nullable String[] values = NO_VALUES;

    private int remembered;
    private final ExpressionBudget budget = new ExpressionBudget();

    /**
     * @param method that the request has, or is taken to have
     * @param client the address of the client, seen through trusted proxies
     */
    public Lookup(RequestHead head, String method, InetAddress client) {
        this.head = head;
        this.method = method;
        this.client = client;
        this.merged = PathParameters.without(head.path(), true);
        this.unmerged = unmerged(head, merged);
    }

    /** Makes it the lookup of another request. */
    public void again(RequestHead next, String nextMethod, InetAddress nextClient) {
        head = next;
        method = nextMethod;
        client = nextClient;
        merged = PathParameters.without(next.path(), true);
        unmerged = unmerged(next, merged);
        remembered = 0;
        budget.again();
    }

    @SuppressWarnings("ReferenceEquality") // A path without empty segments is the same object.
    private static String unmerged(RequestHead head, String merged) {
        boolean same = merged == head.path() && head.path() == head.unmergedPath();
        return same ? merged : PathParameters.without(head.unmergedPath(), false);
    }

    /** Returns the path in the form that a rule compares. */
    String path(PathForm form) {
        return switch (form) {
            case MERGED -> merged;
            case UNMERGED -> unmerged;
            case MERGED_WITH_PARAMETERS -> head.path();
            case UNMERGED_WITH_PARAMETERS -> head.unmergedPath();
        };
    }

    RequestHead head() {
        return head;
    }

    String method() {
        return method;
    }

    InetAddress client() {
        return client;
    }

    ExpressionBudget budget() {
        return budget;
    }

    /** Returns the value of {@code subject}, null when the request has none. */
    @Nullable
    String value(Subject subject) {
        for (int i = 0; i < remembered; i++) {
            if (subjects[i].equals(subject)) {
                return values[i];
            }
        }
        String value = read(subject);
        if (remembered < REMEMBERED_MAX) {
            if (subjects.length == 0) {
                subjects = new Subject[REMEMBERED_MAX];
                values = new String[REMEMBERED_MAX];
            }
            subjects[remembered] = subject;
            values[remembered] = value;
            remembered++;
        }
        return value;
    }

    private @Nullable String read(Subject subject) {
        return switch (subject.source()) {
            case HEADER -> field(subject.name());
            case QUERY_PARAMETER -> QueryParameters.first(head.query(), subject.name());
            case COOKIE -> Cookies.first(head.fields().all("cookie"), subject.name());
        };
    }

    /** Returns the value of all lines of that field (RFC 9110 §5.3). */
    private @Nullable String field(String name) {
        List<String> lines = head.fields().all(name);
        return switch (lines.size()) {
            case 0 -> null;
            case 1 -> lines.getFirst();
            default -> String.join(", ", lines);
        };
    }
}
