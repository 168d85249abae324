package io.sigma.controlplane;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.sigma.check.Faults;
import io.sigma.model.FieldError;

@AnalyzeClasses(packages = "io.sigma", importOptions = ImportOption.DoNotIncludeTests.class)
final class ControlPlaneArchitectureTest {

    @ArchTest
    static final ArchRule noGatewayCode = noClasses()
            .that()
            .resideInAPackage("io.sigma.controlplane..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.sigma.dataplane..", "io.sigma.standalone..", "io.sigma.cli..", "io.sigma.postgres..");

    @ArchTest
    static final ArchRule sharedCodeKnowsNoPlane = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.sigma.check..",
                    "io.sigma.identity..",
                    "io.sigma.format..",
                    "io.sigma.json..",
                    "io.sigma.model..",
                    "io.sigma.route..",
                    "io.sigma.settings..",
                    "io.sigma.snapshot..",
                    "io.sigma.value..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.sigma.controlplane..", "io.sigma.dataplane..");

    @ArchTest
    static final ArchRule theStoreKnowsNothingAboveIt = noClasses()
            .that()
            .resideInAPackage("io.sigma.controlplane.store..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.sigma.controlplane.api..", "io.sigma.controlplane.resource..", "io.sigma.controlplane.fleet..");

    @ArchTest
    static final ArchRule theDatabaseKnowsNothingThatIsStored = noClasses()
            .that()
            .resideInAPackage("io.sigma.controlplane.store.database..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.sigma.controlplane.store",
                    "io.sigma.controlplane.store.history..",
                    "io.sigma.controlplane.store.vote..");

    @ArchTest
    static final ArchRule historyKnowsNoWrite = noClasses()
            .that()
            .resideInAPackage("io.sigma.controlplane.store.history..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.sigma.controlplane.store", "io.sigma.controlplane.store.vote..");

    @ArchTest
    static final ArchRule votesKnowNoWrite = noClasses()
            .that()
            .resideInAPackage("io.sigma.controlplane.store.vote..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.sigma.controlplane.store");

    @ArchTest
    static final ArchRule resourcesKnowNoHttp = noClasses()
            .that()
            .resideInAPackage("io.sigma.controlplane.resource..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.sigma.controlplane.api..",
                    "io.sigma.controlplane.fleet..",
                    "io.vertx.core.http..",
                    "io.vertx.ext..");

    @ArchTest
    static final ArchRule theFleetKnowsNoApi = noClasses()
            .that()
            .resideInAPackage("io.sigma.controlplane.fleet..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.sigma.controlplane.api..", "io.sigma.controlplane.resource..");

    @ArchTest
    static final ArchRule everyFieldErrorHasACode = noClasses()
            .that()
            .doNotBelongToAnyOf(Faults.class, FieldError.class)
            .should()
            .callConstructorWhere(constructorOf(FieldError.class))
            .orShould()
            .callMethod(FieldError.class, "builder")
            .because("each kind of fault has a factory in Faults, which gives it a code");

    @ArchTest
    static final ArchRule onlyTextsOfOtherProcessesAreTakenApart = noClasses()
            .that()
            .doNotBelongToAnyOf(Faults.class)
            .and()
            .doNotHaveSimpleName("RouteTestOperations")
            .should()
            .callMethod(Faults.class, "received", String.class, String.class)
            .because("what this process finds says what is given and what is expected as values");

    private static DescribedPredicate<JavaConstructorCall> constructorOf(Class<?> type) {
        return DescribedPredicate.describe(
                "a constructor of " + type.getSimpleName(),
                call -> call.getTargetOwner().isEquivalentTo(type));
    }

    @ArchTest
    static final ArchRule theContractKnowsNoRequest = noClasses()
            .that()
            .resideInAPackage("io.sigma.controlplane.api.contract..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.sigma.controlplane.api",
                    "io.sigma.controlplane.api.event..",
                    "io.sigma.controlplane.api.operation..",
                    "io.sigma.controlplane.api.request..");

    @ArchTest
    static final ArchRule requestsKnowNoOperation = noClasses()
            .that()
            .resideInAPackage("io.sigma.controlplane.api.request..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.sigma.controlplane.api",
                    "io.sigma.controlplane.api.event..",
                    "io.sigma.controlplane.api.operation..");

    @ArchTest
    static final ArchRule operationsAndEventsKnowNoServer = noClasses()
            .that()
            .resideInAnyPackage("io.sigma.controlplane.api.operation..", "io.sigma.controlplane.api.event..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.sigma.controlplane.api");

    @ArchTest
    static final ArchRule noCycles =
            slices().matching("io.sigma.controlplane.(**)").should().beFreeOfCycles();
}
