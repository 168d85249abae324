package io.sigma.dataplane;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;

/** The arrows between the packages of the gateway. */
@AnalyzeClasses(packages = "io.sigma.dataplane", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {

    private static final String[] ABOVE_ENGINES = {
        "io.sigma.dataplane.exchange..",
        "io.sigma.dataplane.match..",
        "io.sigma.dataplane.filter..",
        "io.sigma.dataplane.upstream..",
        "io.sigma.dataplane.loop.."
    };

    @ArchTest
    static final ArchRule whatDecidesKnowsNoEngine = noClasses()
            .that()
            .resideInAnyPackage(ABOVE_ENGINES)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.vertx..", "io.netty..", "io.sigma.dataplane.engine..");

    @ArchTest
    static final ArchRule controlFlowKnowsNoEngineInParticular = noClasses()
            .that()
            .haveSimpleNameStartingWith("Exchange")
            .and()
            .resideInAPackage("io.sigma.dataplane")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.vertx..", "io.netty..", "io.sigma.dataplane.engine.vertx..");

    @ArchTest
    static final ArchRule onlyTheGatewayChoosesAnEngine = noClasses()
            .that()
            .doNotHaveFullyQualifiedName("io.sigma.dataplane.Gateway")
            .and()
            .resideOutsideOfPackage("io.sigma.dataplane.engine.vertx..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.sigma.dataplane.engine.vertx..");

    @ArchTest
    static final ArchRule theControlPlaneIsAnotherProcess =
            noClasses().should().dependOnClassesThat().resideInAPackage("io.sigma.controlplane..");

    @ArchTest
    static final ArchRule nothingThatAClientSendsReachesJavaUtilRegex = noClasses()
            .that()
            .resideInAnyPackage(ABOVE_ENGINES)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.util.regex..");

    @ArchTest
    static final ArchRule packagesFormNoCycles = SlicesRuleDefinition.slices()
            .matching("io.sigma.dataplane.(*)..")
            .should()
            .beFreeOfCycles();
}
