package org.parallax.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** LICENSE and NOTICE say what is shipped, and the installer shows the licence. */
class LicenceTest {
  private static final Path LICENCE = Project.ROOT.resolve("LICENSE");
  private static final Path NOTICE = Project.ROOT.resolve("NOTICE");
  /** Columns of NOTICE are apart by two spaces or more. */
  private static final Pattern ROW =
      Pattern.compile("(?m)^(\\S+(?:, \\S+)*) {2,}(\\S+(?: \\S+)*) {2,}(\\S+(?: \\S+)*) {2,}(\\S+)$");
  /** Built only where the library of OTF2 is. */
  private static final String OTF2 = "parallax-otf2";
  /** What every program of C and C++ loads. */
  private static final Set<String> RUNTIME =
      Set.of("libc", "libm", "libdl", "libpthread", "librt", "libstdc++", "libgcc_s", "ld-linux-x86-64");

  /** A row of NOTICE. */
  private record Library(String name, String version, String licence, String source) {
  }

  private static Map<String, Library> notice() throws IOException {
    Map<String, Library> libraries = new TreeMap<>();
    Matcher row = ROW.matcher(Files.readString(NOTICE));
    while (row.find()) {
      libraries.put(row.group(1), new Library(row.group(1), row.group(2), row.group(3), row.group(4)));
    }
    assertTrue(libraries.size() > 10, () -> "too few rows are found in NOTICE: " + libraries.keySet());
    return libraries;
  }

  private static boolean isBundle(String name) {
    return name.matches("(wrapped|org|com|net|info)\\..*");
  }

  @Test
  void theFeaturesShowTheLicence() throws IOException {
    for (String feature : List.of("org.parallax.feature", "org.parallax.cdt.feature")) {
      String xml = Files.readString(Project.ROOT.resolve("features").resolve(feature).resolve("feature.xml"));
      Matcher shown = Pattern.compile("(?s)<license[^>]*>(.*)</license>").matcher(xml);
      assertTrue(shown.find(), feature + " has no licence");
      assertEquals(Files.readString(LICENCE).strip(), shown.group(1).strip(), feature);
    }
  }

  @Test
  void theNoticeHasTheLibrariesOfTheSite() throws IOException {
    Map<String, Library> notice = notice();
    List<String> faults = new ArrayList<>();
    Set<String> shipped = new TreeSet<>();
    try (Stream<Path> jars = Files.list(Project.SITE.resolve("plugins"))) {
      for (Path jar : jars.toList()) {
        Manifest manifest = Bundles.manifestOf(jar);
        String name = Bundles.symbolicName(manifest);
        if (name.startsWith("org.parallax.")) {
          continue;
        }
        shipped.add(name);
        String version = manifest.getMainAttributes().getValue("Bundle-Version");
        Library library = notice.get(name);
        if (library == null) {
          faults.add("NOTICE does not have " + name + " " + version);
        } else if (!isSame(library.version, version)) {
          faults.add("NOTICE has " + name + " " + library.version + ", but " + version + " is shipped");
        }
      }
    }
    notice.keySet().stream().filter(name -> isBundle(name) && !shipped.contains(name))
        .forEach(name -> faults.add("NOTICE has " + name + ", which is not shipped"));
    assertEquals(List.of(), faults);
  }

  /** Of a bundle three numbers count, of which the last ones can be left out if they are 0. */
  private static boolean isSame(String library, String bundle) {
    List<String> numbers = List.of((bundle + ".0.0").split("\\.")).subList(0, 3);
    return String.join(".", numbers).equals(library)
        || String.join(".", numbers).equals(library + (library.matches("\\d+\\.\\d+") ? ".0" : ""));
  }

  @Test
  void theNoticeHasTheLibrariesThatNativeProgramsLoad() throws Exception {
    Map<String, Library> notice = notice();
    Set<String> missing = new TreeSet<>();
    for (String program : List.of("libparallax-agent.so", "parallax-record", "parallax-calibrate", "parallax-monitor",
        "parallax-symbols", "parallax-points", "parallax-disassembly", "parallax-filter", "parallax-tune",
        "parallax-paraver", "parallax-perf", "parallax-perfetto", OTF2)) {
      if (program.equals(OTF2) && !Files.exists(Project.NATIVE.resolve(OTF2))) {
        continue;
      }
      String dynamic = Run.command("readelf", "-d", Project.NATIVE.resolve(program)).run().expect(0).out();
      Matcher needed = Pattern.compile("\\(NEEDED\\).*\\[(.*?)\\.so[.\\d]*\\]").matcher(dynamic);
      while (needed.find()) {
        if (!RUNTIME.contains(needed.group(1)) && !notice.containsKey(needed.group(1))) {
          missing.add(needed.group(1) + ", which " + program + " loads");
        }
      }
    }
    assertEquals(Set.of(), missing, "missing in NOTICE");
  }

  /** The library exception of GCC is for what a compiler links in; the LGPL lets others be beside it. */
  @Test
  void nothingThatIsShippedIsUnderTheGpl() throws IOException {
    for (Library library : notice().values()) {
      boolean isAllowed = Stream.of(library.licence.split(" OR "))
          .anyMatch(licence -> !licence.matches("A?GPL-.*") || licence.endsWith(" WITH GCC-exception-3.1"));
      assertTrue(isAllowed, () -> library.name + " is under " + library.licence);
    }
  }
}
