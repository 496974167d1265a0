package org.parallax.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.parallax.e2e.Bundles.Bundle;
import org.parallax.e2e.Bundles.Clause;

/**
 * What the sources must keep: directions of manifests, exports, one bundle of tests for each plug-in. {@link PackagesTest}
 * checks the code.
 */
class ArchitectureTest {
  /** The only bundle that knows CDT; it has a feature of its own. */
  static final String CDT_BRIDGE = "org.parallax.cdt";
  private final Path plugins = Project.ROOT.resolve("plugins");

  @Test
  void manifestsPointTheRightWay() throws IOException {
    Map<String, Manifest> manifests = Bundles.manifests(plugins);
    assertTrue(manifests.size() >= 6, () -> "too few bundles found: " + manifests.keySet());
    List<String> faults = new ArrayList<>();
    manifests.values().forEach(manifest -> faults.addAll(Arrows.faults(Bundles.describe(manifest))));
    assertEquals(List.of(), faults);
  }

  @Test
  void wrongArrowsAreFound() {
    assertEquals(1, faults("org.parallax.trace", "org.parallax.model"));
    assertEquals(1, faults("org.parallax.model", "org.parallax.analysis"));
    assertEquals(1, faults("org.parallax.analysis", "org.parallax.ui"));
    assertEquals(1, faults("org.parallax.tuning", "org.parallax.cli"));
    assertEquals(1, faults("org.parallax.tuning", "org.parallax.experiment"));
    assertEquals(1, faults("org.parallax.analysis", "org.parallax.tuning"));
    assertEquals(1, faults("org.parallax.ui", "org.parallax.cli"));
    assertEquals(1, faults("org.parallax.cli", "org.eclipse.core.runtime"));
    assertEquals(1, faults("org.parallax.model", "org.eclipse.swt.gtk.linux.x86_64"));
    assertEquals(1, faults("org.parallax.newcomer", "org.parallax.trace"));
    assertEquals(1, faults("org.parallax.source", "org.parallax.cdt"));
    assertEquals(1, faults("org.parallax.launch", "org.eclipse.cdt.core"));
    assertEquals(0, faults("org.parallax.cdt", "org.eclipse.cdt.core"));
    assertEquals(0, faults("org.parallax.ui", "org.eclipse.ui"));
    assertEquals(0, faults("org.parallax.analysis", "org.parallax.trace"));
    assertEquals(0, faults("org.parallax.model", "org.eclipse.emf.ecore"));
  }

  private static int faults(String bundle, String need) {
    return Arrows.faults(new Bundle(bundle, List.of(need), List.of(), List.of())).size();
  }

  @Test
  void internalPackagesAreExportedToFriendsOnly() throws IOException {
    for (Manifest manifest : Bundles.manifests(plugins).values()) {
      for (Clause export : Bundles.clauses(manifest, "Export-Package")) {
        boolean internal = (export.name() + ".").contains(".internal.");
        assertEquals(internal, export.attributes().contains("x-friends"),
            Bundles.symbolicName(manifest) + " exports " + export.name());
      }
    }
  }

  /** From the versions that the tests run with, to the next that may break what it has. */
  @Test
  void whatIsNeededOfOthersHasARangeOfVersions() throws IOException {
    Pattern range = Pattern.compile("bundle-version=\"\\[\\d+\\.\\d+\\.\\d+,(\\d+)\\.0\\.0\\)\"");
    List<String> faults = new ArrayList<>();
    for (Manifest manifest : Bundles.manifests(plugins).values()) {
      for (Clause need : Bundles.clauses(manifest, "Require-Bundle")) {
        if (!need.name().startsWith("org.parallax.") && !range.matcher(need.attributes()).find()) {
          faults.add(Bundles.symbolicName(manifest) + " needs any version of " + need.name());
        }
      }
    }
    assertEquals(List.of(), faults);
  }

  @Test
  void everyPluginWithCodeHasItsTestsInTheReactor() throws IOException {
    TreeSet<String> modules = Project.matches(Project.ROOT.resolve("pom.xml"),
        "<module>(?:[\\w-]+/)?([^<]+)</module>");
    for (String bundle : Bundles.manifests(plugins).keySet()) {
      assertTrue(modules.contains(bundle), bundle + " is not in the reactor");
      if (!javaFiles(plugins.resolve(bundle)).isEmpty()) {
        Path tests = Project.ROOT.resolve("tests").resolve(bundle + ".tests");
        assertTrue(modules.contains(bundle + ".tests"), bundle + " has no tests in the reactor");
        assertFalse(javaFiles(tests).isEmpty(), tests + " has no sources");
      }
    }
  }

  @Test
  void everyPluginIsInAFeature() throws IOException {
    TreeSet<String> plugins = new TreeSet<>(Bundles.manifests(this.plugins).keySet());
    assertEquals(new TreeSet<>(List.of(CDT_BRIDGE)), pluginsOf("org.parallax.cdt.feature"));
    assertTrue(plugins.remove(CDT_BRIDGE));
    assertEquals(plugins, pluginsOf("org.parallax.feature"));
  }

  private static TreeSet<String> pluginsOf(String feature) throws IOException {
    return Project.matches(
        Project.ROOT.resolve("features").resolve(feature).resolve("feature.xml"),
        "<plugin\\s+id=\"(org\\.parallax\\.[^\"]+)\"");
  }

  /** The core's tests take libraries by coordinates, the bundles take them from the target. */
  @Test
  void testsUseTheTargetPlatformsVersions() throws IOException {
    String version = "<groupId>([^<]+)</groupId>\\s*<artifactId>([^<]+)</artifactId>\\s*"
        + "<version>([0-9][^<]*)</version>";
    Map<String, String> target = new TreeMap<>();
    Matcher inTarget = Pattern.compile(version).matcher(
        Files.readString(Project.ROOT.resolve("target-platform/target-platform.target")));
    while (inTarget.find()) {
      target.put(inTarget.group(1) + ":" + inTarget.group(2), inTarget.group(3));
    }
    int compared = 0;
    Matcher inPom =
        Pattern.compile(version).matcher(Files.readString(Project.ROOT.resolve("pom.xml")));
    while (inPom.find()) {
      String name = inPom.group(1) + ":" + inPom.group(2);
      if (target.containsKey(name)) {
        assertEquals(target.get(name), inPom.group(3), name);
        compared++;
      }
    }
    assertTrue(compared >= 4, "too few libraries compared: " + compared);
  }

  /** What computes is in Java, with tests: the awks of the distributions differ, and one of them crashes. */
  @Test
  void scriptsDoNotCallAwk() throws IOException {
    List<Path> scripts = new ArrayList<>(List.of(Project.ROOT.resolve("parallax")));
    for (String folder : List.of("scripts", "bin", ".ci")) {
      try (Stream<Path> files = Files.list(Project.ROOT.resolve(folder))) {
        files.filter(Files::isRegularFile).forEach(scripts::add);
      }
    }
    assertTrue(scripts.size() > 10, () -> "too few scripts are found: " + scripts);
    Pattern awk = Pattern.compile("\\b[gm]?awk\\b");
    for (Path script : scripts) {
      assertFalse(awk.matcher(Files.readString(script)).find(), script + " calls awk");
    }
  }

  private static List<Path> javaFiles(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String part : List.of("src", "src-gen")) {
      if (Files.isDirectory(folder.resolve(part))) {
        try (Stream<Path> walk = Files.walk(folder.resolve(part))) {
          walk.filter(file -> file.toString().endsWith(".java")).forEach(files::add);
        }
      }
    }
    return files;
  }
}
