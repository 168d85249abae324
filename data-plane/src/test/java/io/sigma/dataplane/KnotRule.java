package io.sigma.dataplane;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** A knot is a set of classes of one package of which each needs each other, directly or through others of the set. */
final class KnotRule {

    /** The packages with larger knots at present. Each knot may only shrink. */
    private static final Map<String, Integer> KNOWN = Map.of("io.sigma.dataplane.upstream", 12);

    private KnotRule() {}

    static ArchCondition<JavaClass> beInNoKnotOfMoreThan(int classesMax) {
        return new ArchCondition<>("be in no knot of more than " + classesMax + " classes") {

            private final Map<String, Set<String>> needs = new HashMap<>();
            private final Map<String, Set<String>> neededBy = new HashMap<>();

            @Override
            public void init(Collection<JavaClass> classes) {
                for (JavaClass type : classes) {
                    String from = outermost(type);
                    for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                        String to = outermost(dependency.getTargetClass());
                        if (!to.equals(from) && packageOf(to).equals(packageOf(from))) {
                            needs.computeIfAbsent(from, ignored -> new HashSet<>())
                                    .add(to);
                            neededBy.computeIfAbsent(to, ignored -> new HashSet<>())
                                    .add(from);
                        }
                    }
                }
            }

            @Override
            public void check(JavaClass type, ConditionEvents events) {
                String name = outermost(type);
                Set<String> knot = reached(name, needs);
                knot.retainAll(reached(name, neededBy));
                int max = KNOWN.getOrDefault(packageOf(name), classesMax);
                if (knot.size() > max && name.equals(type.getFullName())) {
                    events.add(SimpleConditionEvent.violated(
                            type,
                            name + " is in a knot of " + knot.size() + " classes (at most " + max + "): " + knot));
                }
            }
        };
    }

    private static Set<String> reached(String start, Map<String, Set<String>> arrows) {
        Set<String> seen = new TreeSet<>(Set.of(start));
        Deque<String> open = new ArrayDeque<>(seen);
        while (!open.isEmpty()) {
            for (String next : arrows.getOrDefault(open.pop(), Set.of())) {
                if (seen.add(next)) {
                    open.push(next);
                }
            }
        }
        return seen;
    }

    private static String packageOf(String name) {
        // Primitive types have none.
        return name.substring(0, Math.max(0, name.lastIndexOf('.')));
    }

    private static String outermost(JavaClass type) {
        return type.getEnclosingClass().map(KnotRule::outermost).orElse(type.getFullName());
    }
}
