package io.sigma.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.sigma.dataplane.loop.Kept;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Objects that serve one request after another: {@code again()} sets each field that is not marked as {@link Kept}. */
final class RecyclingTest {

    private static final String AGAIN = "again";

    private static JavaClasses classes(String where) {
        return new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages(where);
    }

    private static JavaClasses classesOfTests() {
        return new ClassFileImporter().importClasses(Forgetful.class, Careful.class, Part.class);
    }

    /** Returns the fields that some {@code again()} forgets. */
    private static Set<String> forgotten(Iterable<JavaClass> classes) {
        Set<String> forgotten = new TreeSet<>();
        for (JavaClass each : classes) {
            List<JavaMethod> methods = each.getMethods().stream()
                    .filter(method -> method.getName().equals(AGAIN))
                    .filter(method -> !method.getModifiers().contains(JavaModifier.STATIC))
                    .filter(method -> !method.getModifiers().contains(JavaModifier.PRIVATE))
                    .toList();
            if (!methods.isEmpty()) {
                forgotten.addAll(forgotten(each, methods));
            }
        }
        return forgotten;
    }

    private static Set<String> forgotten(JavaClass type, List<JavaMethod> methods) {
        Set<String> set = new HashSet<>();
        Set<String> told = new HashSet<>();
        follow(type, methods, set, told);
        Set<String> forgotten = new TreeSet<>();
        for (JavaField field : ownFields(type)) {
            boolean changes = !field.getModifiers().contains(JavaModifier.FINAL);
            boolean part = field.getRawType().getMethods().stream()
                    .anyMatch(method -> method.getName().equals(AGAIN));
            if (!field.getModifiers().contains(JavaModifier.STATIC)
                    && !field.isAnnotatedWith(Kept.class)
                    && (changes
                            ? !set.contains(field.getFullName())
                            : part && !told.contains(field.getRawType().getName()))) {
                forgotten.add(field.getFullName());
            }
        }
        return forgotten;
    }

    /** Returns the fields of {@code type}, with those of the classes of its package that it extends. */
    private static List<JavaField> ownFields(JavaClass type) {
        return type.getAllFields().stream()
                .filter(field -> field.getOwner().getPackageName().equals(type.getPackageName()))
                .toList();
    }

    /** Notes what the methods set, and those methods of the same object that they call, and whom they tell. */
    private static void follow(JavaClass type, List<JavaMethod> methods, Set<String> set, Set<String> told) {
        Deque<JavaCodeUnit> left = new ArrayDeque<>(methods);
        Set<String> seen = new HashSet<>();
        while (!left.isEmpty()) {
            JavaCodeUnit next = left.pop();
            if (!seen.add(next.getFullName())) {
                continue;
            }
            for (JavaFieldAccess access : next.getFieldAccesses()) {
                if (access.getAccessType() == JavaFieldAccess.AccessType.SET) {
                    access.getTarget().resolveMember().ifPresent(field -> set.add(field.getFullName()));
                }
            }
            for (JavaMethodCall call : next.getMethodCallsFromSelf()) {
                if (call.getName().equals(AGAIN)) {
                    told.add(call.getTargetOwner().getName());
                }
                if (type.isAssignableTo(call.getTargetOwner().getName())) {
                    call.getTarget().resolveMember().ifPresent(left::push);
                }
            }
        }
    }

    @Test
    void everyFieldOfAnObjectThatIsUsedAgainIsSetOrMarked() {
        assertThat(forgotten(classes("io.sigma.dataplane"))).isEmpty();
    }

    @Test
    void aForgottenFieldIsFound() {
        assertThat(forgotten(classesOfTests()))
                .containsExactlyInAnyOrder(Forgetful.class.getName() + ".left", Forgetful.class.getName() + ".part");
    }

    private static final class Part {
        private int value;

        void again() {
            value = 0;
        }

        @Override
        public String toString() {
            return "" + value;
        }
    }

    @SuppressWarnings("UnusedMethod") // The classes are looked at, not used.
    private static class Forgetful {
        private final Part part = new Part();
        private int set;
        private int left;

        @Kept("it is a test")
        private int kept;

        void again() {
            clear();
        }

        private void clear() {
            set = 0;
        }

        @Override
        public String toString() {
            return set++ + left++ + kept++ + part.toString();
        }
    }

    @SuppressWarnings("UnusedMethod")
    private static final class Careful {
        private final Part part = new Part();
        private int set;

        void again() {
            set = 1;
            part.again();
        }

        @Override
        public String toString() {
            return set + part.toString();
        }
    }
}
