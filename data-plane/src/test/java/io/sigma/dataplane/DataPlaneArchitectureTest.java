package io.sigma.dataplane;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.List;

/** The arrows between the packages of the gateway. */
@AnalyzeClasses(packages = "io.sigma.dataplane", importOptions = ImportOption.DoNotIncludeTests.class)
final class DataPlaneArchitectureTest {

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

    /** The parts of the engine; {@code engine} itself is what the control flow and the listeners know of it. */
    private static final String PARTS_OF_ENGINE = "io.sigma.dataplane.engine.*..";

    @ArchTest
    static final ArchRule controlFlowKnowsNoEngineInParticular = noClasses()
            .that()
            .resideInAnyPackage("io.sigma.dataplane.flow..", "io.sigma.dataplane.trial..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.vertx..", "io.netty..", PARTS_OF_ENGINE);

    @ArchTest
    static final ArchRule onlyTheGatewayChoosesAnEngine = noClasses()
            .that()
            .doNotHaveFullyQualifiedName("io.sigma.dataplane.Gateway")
            .and()
            .doNotHaveFullyQualifiedName("io.sigma.dataplane.GatewayEngine")
            .and()
            .resideOutsideOfPackage("io.sigma.dataplane.engine..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(PARTS_OF_ENGINE);

    /** So that what is not HTTP can be accepted in the same way. */
    @ArchTest
    static final ArchRule connectionsAreAcceptedWithoutKnowingWhatIsSpoken = noClasses()
            .that()
            .resideInAPackage("io.sigma.dataplane.engine.accept")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.sigma.dataplane.engine.client..",
                    "io.sigma.dataplane.engine.relay..",
                    "io.sigma.dataplane.engine.body..",
                    "io.sigma.dataplane.engine.tunnel..",
                    "io.sigma.dataplane.engine.http1..",
                    "io.sigma.dataplane.engine.http2..")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("io.sigma.dataplane.engine.ServerBinding");

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

    /**
     * The gateway's own data files, which the configuration does not name; what the kernel says of threads; and marks
     * of files, which are made of paths that were checked.
     */
    private static final List<String> OWN_FILES = List.of(
            "io.sigma.dataplane.link.CredentialFiles",
            "io.sigma.dataplane.engine.relay.SpoolFiles",
            "io.sigma.dataplane.configfile.ConfigFile",
            "io.sigma.dataplane.loop.Scheduling",
            "io.sigma.dataplane.settings.OwnIdentity",
            "io.sigma.dataplane.snapshot.store.SnapshotJournal",
            "io.sigma.dataplane.snapshot.store.SnapshotStore",
            "io.sigma.dataplane.takeover.ControlSocket",
            "io.sigma.dataplane.watch.FileMark");

    @ArchTest
    static final ArchRule onlyOnePackageReachesWhatTheConfigurationNames = noClasses()
            .that()
            .resideOutsideOfPackage("io.sigma.dataplane.disk..")
            .and(DescribedPredicate.not(DescribedPredicate.describe(
                    "read and write the gateway's own files", type -> OWN_FILES.contains(outermost(type)))))
            .should(DiskRule.reachTheDisk());

    private static String outermost(JavaClass type) {
        return type.getEnclosingClass()
                .map(DataPlaneArchitectureTest::outermost)
                .orElse(type.getFullName());
    }

    /** A codec tells the control flow of exchanges, takes what is to be forwarded, and knows nothing else above it. */
    private static final List<String> KNOWN_TO_CODECS = List.of(
            "io.sigma.dataplane.engine.ExchangeEvents",
            "io.sigma.dataplane.engine.Forward",
            "io.sigma.dataplane.engine.ServerBinding");

    @ArchTest
    static final ArchRule codecsMeetTheControlFlowThroughTheSameInterfaces = noClasses()
            .that()
            .resideInAnyPackage("io.sigma.dataplane.engine.http1..", "io.sigma.dataplane.engine.http2..")
            .should()
            .dependOnClassesThat(DescribedPredicate.describe(
                    "are above them",
                    type -> (type.getPackageName().equals("io.sigma.dataplane.engine")
                                    && !KNOWN_TO_CODECS.contains(outermost(type)))
                            || type.getPackageName().startsWith("io.sigma.dataplane.flow")
                            || type.getPackageName().equals("io.sigma.dataplane")));

    @ArchTest
    static final ArchRule partsOfTheEngineFormNoCycles = SlicesRuleDefinition.slices()
            .matching("io.sigma.dataplane.engine.(*)..")
            .should()
            .beFreeOfCycles();

    @ArchTest
    static final ArchRule engineKnowsNoneOfItsParts = noClasses()
            .that()
            .resideInAPackage("io.sigma.dataplane.engine")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(PARTS_OF_ENGINE);

    @ArchTest
    static final ArchRule filtersKnowNoChain = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.sigma.dataplane.filter",
                    "io.sigma.dataplane.filter.auth",
                    "io.sigma.dataplane.filter.content",
                    "io.sigma.dataplane.filter.header",
                    "io.sigma.dataplane.filter.limit")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.sigma.dataplane.filter.chain");

    @ArchTest
    static final ArchRule fewClassesOfAPackageNeedEachOther = classes().should(KnotRule.beInNoKnotOfMoreThan(8));

    @ArchTest
    static final ArchRule packagesFormNoCycles = SlicesRuleDefinition.slices()
            .matching("io.sigma.dataplane.(*)..")
            .should()
            .beFreeOfCycles();
}
