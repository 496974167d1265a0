package org.parallax.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** All parts state the same version. */
class VersionTest {
  private static final String POM = "<version>(.*?)</version>";

  private static String first(Path file, String pattern) throws IOException {
    Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(file));
    assertTrue(matcher.find(), () -> file + " states no version");
    return matcher.group(1);
  }

  @Test
  void everyPartHasTheVersionOfTheProject() throws IOException {
    String version = first(Project.ROOT.resolve("pom.xml"), POM);
    String osgi = version.replace("-SNAPSHOT", ".qualifier");
    String numbers = version.replace("-SNAPSHOT", "");
    List<String> faults = new ArrayList<>();
    TreeSet<String> modules = Project.matches(Project.ROOT.resolve("pom.xml"), "<module>([^<]+)</module>");
    modules.addAll(List.of("tests/e2e", "tests/newest-ide"));
    for (String module : modules) {
      Path folder = Project.ROOT.resolve(module);
      compare(version, first(folder.resolve("pom.xml"), POM), module + "/pom.xml", faults);
      Path manifest = folder.resolve("META-INF/MANIFEST.MF");
      if (module.contains("org.parallax.") && Files.exists(manifest)) {
        compare(osgi, first(manifest, "(?m)^Bundle-Version: (.*)$"), module + "/META-INF/MANIFEST.MF", faults);
      }
      Path feature = folder.resolve("feature.xml");
      if (Files.exists(feature)) {
        compare(osgi, first(feature, "(?s)<feature[^>]*?version=\"(.*?)\""), module + "/feature.xml", faults);
      }
    }
    compare(numbers, first(Project.ROOT.resolve("native/CMakeLists.txt"), "project\\(\\S+ VERSION (\\S+)"),
        "native/CMakeLists.txt", faults);
    assertEquals(List.of(), faults, "set them with scripts/set_version.sh");
  }

  private static void compare(String expected, String found, String file, List<String> faults) {
    if (!found.equals(expected)) {
      faults.add(file + " has " + found + " instead of " + expected);
    }
  }

  /** A release has an entry with its number; until then the first entry is of what comes. */
  @Test
  void theChangeLogBeginsWithThisVersion() throws IOException {
    String version = first(Project.ROOT.resolve("pom.xml"), POM);
    assertEquals(version.replace("-SNAPSHOT", ""),
        first(Project.ROOT.resolve("CHANGELOG.md"), "(?m)^## (\\d\\S*)"));
  }

  @Test
  void theCommandLineTellsTheVersion() throws Exception {
    String version = first(Project.ROOT.resolve("pom.xml"), POM).replace("-SNAPSHOT", "");
    String told = Run.parallax("--version").run().expect(0).out();
    assertTrue(Stream.of(told.split("\\s+")).anyMatch(version::equals), told);
  }
}
