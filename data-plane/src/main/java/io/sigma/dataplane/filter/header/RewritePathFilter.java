package io.sigma.dataplane.filter.header;

import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.RequestTarget;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.Replies;
import io.sigma.dataplane.match.ExpressionBudget;
import io.sigma.model.RewritePathPlugin;
import io.sigma.value.InvalidValue;
import io.sigma.value.NormalPath;
import io.sigma.value.PathRewrite;
import io.sigma.value.Re2;
import org.jspecify.annotations.Nullable;

/** Rewrites the path that the node receives; the query is kept, behind that of the replacement. */
public final class RewritePathFilter implements Filter {

    private final PathRewrite rewrite;

    public RewritePathFilter(RewritePathPlugin plugin) {
        this.rewrite = PathRewrite.parse(Re2.compile(plugin.regexp()), plugin.replacement());
    }

    @Override
    public boolean isPure() {
        return true;
    }

    @Override
    public Verdict onRequest(Exchange exchange, Replies replies) {
        if (RequestTarget.isWhole(exchange.path())) {
            return Verdict.CONTINUE;
        }
        if (!rewrite.hasQuery() && exchange.rewriteAgain(this)) {
            return Verdict.CONTINUE;
        }
        ExpressionBudget budget = new ExpressionBudget();
        String rewritten =
                budget.within(() -> rewrite.apply(exchange.path(), text -> budget.read(rewrite.programSize(), text)));
        try {
            int question = rewrite.hasQuery() ? rewritten.indexOf('?') : -1;
            if (question < 0) {
                exchange.rewrite(this, NormalPath.of(rewritten));
            } else {
                exchange.rewrite(this, NormalPath.of(rewritten.substring(0, question)));
                String query = NormalPath.encoded(rewritten.substring(question + 1));
                exchange.query(joined(query, exchange.query()));
            }
            return Verdict.CONTINUE;
        } catch (InvalidValue e) {
            // Pieces that are fine each can make something else together, such as an incomplete percent-encoding.
            replies.fail(io.sigma.dataplane.exchange.ErrorKind.BAD_REQUEST);
            return Verdict.TAKEN;
        }
    }

    private static @Nullable String joined(String added, @Nullable String sent) {
        if (added.isEmpty() || sent == null || sent.isEmpty()) {
            return added.isEmpty() ? sent : added;
        }
        return added + "&" + sent;
    }
}
