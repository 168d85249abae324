package io.sigma.dataplane.filter;

import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.match.ExpressionBudget;
import io.sigma.model.RewritePathPlugin;
import io.sigma.value.InvalidValue;
import io.sigma.value.NormalPath;
import io.sigma.value.PathRewrite;
import io.sigma.value.Re2;

/** Rewrites the path that the node receives; the query is kept. */
final class RewritePathFilter implements Filter {

    private final PathRewrite rewrite;

    RewritePathFilter(RewritePathPlugin plugin) {
        this.rewrite = PathRewrite.parse(Re2.compile(plugin.regexp()), plugin.replacement());
    }

    @Override
    public boolean isPure() {
        return true;
    }

    @Override
    public Verdict onRequest(Exchange exchange, Replies replies) {
        if (exchange.rewriteAgain(this)) {
            return Verdict.CONTINUE;
        }
        String rewritten =
                rewrite.apply(exchange.path(), text -> new ExpressionBudget().read(rewrite.programSize(), text));
        try {
            exchange.rewrite(this, NormalPath.of(rewritten));
            return Verdict.CONTINUE;
        } catch (InvalidValue e) {
            // Pieces that are fine each can make something else together, such as an incomplete percent-encoding.
            replies.fail(io.sigma.dataplane.exchange.ErrorKind.BAD_REQUEST);
            return Verdict.TAKEN;
        }
    }
}
