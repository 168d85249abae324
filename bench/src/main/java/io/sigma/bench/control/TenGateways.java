package io.sigma.bench.control;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Ten gateways with all that they have, 10,000 routes: from commit to the last acknowledgement, and what the vote
 * before the commit costs, as the time until the commit through a control plane that asks for votes ÷ through one that
 * does not, in turn.
 */
final class TenGateways implements Scenario {

    private static final int ROUTES = 10_000;
    private static final int GATEWAYS = 10;
    private static final int WARM_UP = 100;

    @Override
    public void run(Effort effort, ObjectNode figures) throws Exception {
        try (Site site = Site.start()) {
            Site.ControlPlane voting = site.controlPlane();
            site.fill(voting, ROUTES);
            site.gateways(voting, "real", GATEWAYS);
            Writes warm = new Writes(site, ROUTES, GATEWAYS);
            int round = 0;
            while (round < WARM_UP) {
                warm.write(voting.admin(), round++);
            }
            Writes writes = new Writes(site, ROUTES, GATEWAYS);
            for (int i = 0; i < effort.rounds(); i++) {
                writes.write(voting.admin(), round++);
            }
            writes.putTo(figures);
            Site.ControlPlane plain = site.controlPlane("SIGMA_GATEWAY_VOTE_MILLIS", "0");
            for (int i = 0; i < WARM_UP; i++) {
                warm.write(plain.admin(), round++);
            }
            Writes prepared = new Writes(site, ROUTES, GATEWAYS);
            Writes unprepared = new Writes(site, ROUTES, GATEWAYS);
            for (int i = 0; i < effort.rounds(); i++) {
                prepared.write(voting.admin(), round++);
                unprepared.write(plain.admin(), round++);
            }
            prepared.toCommit().putTo(figures, "prepareAndCommit");
            unprepared.toCommit().putTo(figures, "plainCommit");
            figures.put(
                    "prepareRatio",
                    Times.rounded(prepared.toCommit().quantile(0.5)
                            / unprepared.toCommit().quantile(0.5)));
        }
    }
}
