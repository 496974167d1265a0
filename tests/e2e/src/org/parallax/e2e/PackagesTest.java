package org.parallax.e2e;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SliceRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What the compiled classes of all bundles must keep: no cycles between the packages of a bundle, the
 * direction of the bundles, and plain Java below the front ends.
 */
class PackagesTest {
  /**
   * A dependency that closes a cycle and stays.
   *
   * @param from a package
   * @param to a package of the same bundle
   * @param reason why it stays
   */
  private record AllowedCycle(String from, String to, String reason) {
    boolean isIn(String bundle) {
      return from.equals(bundle) || from.startsWith(bundle + ".");
    }
  }

  private static final List<AllowedCycle> EXCEPTIONS = List.of(
      new AllowedCycle("org.parallax.model", "org.parallax.model.impl",
          "EMF generates interfaces that create their implementations"));

  private static final Path PLUGINS = Project.ROOT.resolve("plugins");
  /** By the name of the bundle; those without code are not among them. */
  private static final TreeMap<String, JavaClasses> BUNDLES = new TreeMap<>();
  /** By the name of the class. */
  private static final Map<String, String> BUNDLE_OF = new HashMap<>();
  private static JavaClasses all;

  @BeforeAll
  static void readClasses() throws IOException {
    List<Path> folders = new ArrayList<>();
    for (String bundle : Bundles.manifests(PLUGINS).keySet()) {
      if (Files.isDirectory(PLUGINS.resolve(bundle).resolve("src"))) {
        Path classes = PLUGINS.resolve(bundle).resolve("target/classes");
        BUNDLES.put(bundle, new ClassFileImporter().importPath(classes));
        folders.add(classes);
      }
    }
    all = new ClassFileImporter().importPaths(folders);
    BUNDLES.forEach((bundle, classes) -> {
      assertTrue(classes.size() > 0, bundle + " has no compiled classes: build the plug-ins first");
      classes.forEach(each -> BUNDLE_OF.put(each.getName(), bundle));
    });
  }

  @Test
  void packagesOfABundleAreWithoutCycles() {
    assertAll(BUNDLES.entrySet().stream().map(
        bundle -> () -> noCycles(bundle.getKey(), EXCEPTIONS).check(bundle.getValue())));
  }

  @Test
  void exceptionsAreNeeded() {
    for (AllowedCycle each : EXCEPTIONS) {
      List<AllowedCycle> others = EXCEPTIONS.stream().filter(other -> other != each).toList();
      boolean isNeeded = BUNDLES.entrySet().stream()
          .filter(bundle -> each.isIn(bundle.getKey()))
          .anyMatch(bundle -> noCycles(bundle.getKey(), others).evaluate(bundle.getValue()).hasViolation());
      assertTrue(isNeeded, () -> each + " closes no cycle any more: remove it");
    }
  }

  private static SliceRule noCycles(String bundle, List<AllowedCycle> exceptions) {
    SliceRule rule = SlicesRuleDefinition.slices().assignedFrom(new PackageSlices(bundle))
        .should().beFreeOfCycles();
    for (AllowedCycle each : exceptions) {
      rule = rule.ignoreDependency(isIn(each.from), isIn(each.to));
    }
    return rule;
  }

  private static DescribedPredicate<JavaClass> isIn(String name) {
    return DescribedPredicate.describe("in " + name, each -> each.getPackageName().equals(name));
  }

  /** Each package is a slice. */
  private record PackageSlices(String bundle) implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
      return SliceIdentifier.of(javaClass.getPackageName());
    }

    @Override
    public String getDescription() {
      return "packages of " + bundle;
    }
  }

  @Test
  void classesPointTheRightWay() {
    assertAll(BUNDLES.keySet().stream().map(bundle -> () -> noneOf(bundle, bundle).check(all)));
  }

  @Test
  void wrongDependenciesAreFound() {
    // Each bundle is checked as if it were another one, for which its dependencies are wrong.
    assertTrue(violations("org.parallax.cli", "org.parallax.trace") > 100, "trace needs analysis");
    assertTrue(violations("org.parallax.ui", "org.parallax.experiment") > 100, "experiment needs SWT");
    assertTrue(violations("org.parallax.cdt", "org.parallax.source") > 0, "source needs CDT");
    assertEquals(0, violations("org.parallax.experiment", "org.parallax.cli"));
  }

  private static int violations(String bundle, String as) {
    return noneOf(bundle, as).evaluate(all).getFailureReport().getDetails().size();
  }

  /** @param as the bundle whose place among the bundles is meant */
  private static ArchRule noneOf(String bundle, String as) {
    return noClasses().that(areOf(bundle)).should().dependOnClassesThat(mayNotBeNeededBy(as, bundle));
  }

  /** @param own the bundle whose own classes are never wrong */
  private static DescribedPredicate<JavaClass> mayNotBeNeededBy(String bundle, String own) {
    return DescribedPredicate.describe("may not be needed by " + bundle, needed -> {
      String of = bundleOf(needed);
      if (of == null) {
        return Arrows.fault(bundle, needed.getName()) != null;
      }
      boolean isInternal = (needed.getPackageName() + ".").contains(".internal.");
      return !of.equals(own) && (isInternal || Arrows.fault(bundle, of) != null);
    });
  }

  private static DescribedPredicate<JavaClass> areOf(String bundle) {
    return DescribedPredicate.describe("are of " + bundle, each -> bundle.equals(bundleOf(each)));
  }

  /** @return the bundle that a class is of, null for those of libraries */
  private static String bundleOf(JavaClass javaClass) {
    return BUNDLE_OF.get(javaClass.getBaseComponentType().getName());
  }
}
