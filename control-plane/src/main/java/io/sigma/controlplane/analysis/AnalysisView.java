package io.sigma.controlplane.analysis;

import io.sigma.controlplane.fleet.RefusedRevision;
import io.sigma.model.Finding;
import io.sigma.model.Kind;
import io.sigma.model.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The findings of a revision, in order. Immutable.
 *
 * @param findings ordered by {@link #ORDER}
 */
public record AnalysisView(long revision, int errors, int warnings, int infos, List<Finding> findings) {

    static final Comparator<Finding> ORDER = Comparator.comparing(Finding::severity)
            .thenComparing(Finding::kind)
            .thenComparing(Finding::id)
            .thenComparing(finding -> Rule.of(finding.rule()))
            .thenComparing(Finding::pointer)
            .thenComparing(Finding::detail);

    private static final int DETAIL_LENGTH_MAX = 4096;

    /** A page of findings, and the place of its last finding. The place is null on the last page. */
    public record Page(List<Finding> items, @Nullable Place last) {}

    /**
     * The place of a finding, by which the next page begins whatever has changed meanwhile.
     *
     * @param index among the findings of the same severity, kind and id
     */
    public record Place(Severity severity, Kind kind, String id, int index) {

        private int compareTo(Finding finding, int indexOfFinding) {
            int bySeverity = severity.compareTo(finding.severity());
            int byKind = bySeverity != 0 ? bySeverity : kind.compareTo(finding.kind());
            int byId = byKind != 0 ? byKind : id.compareTo(finding.id());
            return byId != 0 ? byId : Integer.compare(index, indexOfFinding);
        }
    }

    public AnalysisView {
        findings = List.copyOf(findings);
    }

    static AnalysisView of(long revision, List<Finding> sorted) {
        return new AnalysisView(
                revision,
                count(sorted, Severity.ERROR),
                count(sorted, Severity.WARNING),
                count(sorted, Severity.INFO),
                sorted);
    }

    /** Returns this with what live gateways refuse of the newest revision. */
    public AnalysisView withRefused(RefusedRevision refused) {
        List<Finding> all = new ArrayList<>(findings);
        refused.refusals().values().stream()
                .collect(Collectors.groupingBy(
                        refusal -> Objects.requireNonNullElse(refusal.pointer(), ""),
                        TreeMap::new,
                        Collectors.toList()))
                .forEach((pointer, refusals) -> RefusedRevision.culprit(pointer)
                        .ifPresent(culprit -> all.add(Rule.REFUSED_BY_GATEWAYS.found(
                                culprit.type().kind(), culprit.id(), culprit.within(), cut(refused.text())))));
        if (all.size() == findings.size()) {
            all.add(Rule.REFUSED_BY_GATEWAYS.found(Kind.PROXY_SERVER, "none", "", cut(refused.text())));
        }
        all.sort(ORDER);
        return of(revision, all);
    }

    private static String cut(String text) {
        return text.substring(0, Math.min(text.length(), DETAIL_LENGTH_MAX));
    }

    private static int count(List<Finding> findings, Severity severity) {
        return (int) findings.stream()
                .filter(finding -> finding.severity() == severity)
                .count();
    }

    /** Returns the findings behind {@code after}, or from the first one, that {@code wanted} holds for. */
    public Page page(@Nullable Place after, int limit, Predicate<Finding> wanted) {
        List<Finding> items = new ArrayList<>();
        Place last = null;
        int index = 0;
        Finding before = null;
        for (Finding finding : findings) {
            boolean same = before != null
                    && before.severity() == finding.severity()
                    && before.kind() == finding.kind()
                    && before.id().equals(finding.id());
            index = same ? index + 1 : 0;
            before = finding;
            if ((after != null && after.compareTo(finding, index) >= 0) || !wanted.test(finding)) {
                continue;
            }
            if (items.size() == limit) {
                return new Page(items, last);
            }
            items.add(finding);
            last = new Place(finding.severity(), finding.kind(), finding.id(), index);
        }
        return new Page(items, null);
    }
}
