package org.parallax.e2e;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The p2 site holds Parallax, the bridge to CDT without CDT, the libraries that no platform
 * has, and nothing else. */
class UpdateSiteTest {
  private static final List<String> LIBRARIES =
      List.of("org.eclipse.emf.edit", "org.hipparchus.core", "org.hipparchus.stat",
          "org.jgrapht.core", "org.jheaps", "picocli",
          "wrapped.org.apache.xmlgraphics.batik-awt-util",
          "wrapped.org.apache.xmlgraphics.batik-constants",
          "wrapped.org.apache.xmlgraphics.batik-i18n",
          "wrapped.org.apache.xmlgraphics.batik-svggen",
          "wrapped.org.apache.xmlgraphics.batik-util", "wrapped.org.apfloat.apfloat",
          "wrapped.org.jfree.jfreechart",
          "org.snakeyaml.engine", "wrapped.com.ezylang.EvalEx");

  @Test
  void holdsThePluginsAndTheirLibraries() throws IOException {
    TreeSet<String> allowed = new TreeSet<>(LIBRARIES);
    allowed.addAll(Bundles.manifests(Project.ROOT.resolve("plugins")).keySet());
    assertEquals(allowed, new TreeSet<>(bundles().keySet()));
  }

  @Test
  void holdsTheFeatures() throws IOException {
    try (Stream<Path> features = Files.list(Project.SITE.resolve("features"))) {
      List<String> names =
          features.map(file -> file.getFileName().toString().replaceAll("_.*", "")).sorted()
              .toList();
      assertEquals(List.of("org.parallax.cdt.feature", "org.parallax.feature"), names);
    }
  }

  @Test
  void holdsTheAgentAsItWasBuilt() throws IOException {
    Path bundle = bundles().get("org.parallax.agent.linux.x86_64");
    assertEquals("(& (osgi.os=linux)(osgi.arch=x86_64))", Bundles.manifestOf(bundle)
        .getMainAttributes().getValue("Eclipse-PlatformFilter"));
    try (JarFile jar = new JarFile(bundle.toFile())) {
      for (String name : List.of("libparallax-agent.so", "parallax-record", "parallax-calibrate", "parallax-monitor",
          "parallax-symbols", "parallax-points", "parallax-disassembly", "parallax-tune", "parallax-paraver",
          "parallax-perf", "parallax-perfetto", "parallax-otf2")) {
        if (name.equals("parallax-otf2") && !Files.exists(Project.NATIVE.resolve(name))) {
          continue;  // the library of OTF2 is not installed
        }
        var entry = jar.getEntry("os/linux/x86_64/" + name);
        assertNotNull(entry, name);
        assertArrayEquals(Files.readAllBytes(Project.NATIVE.resolve(name)),
            jar.getInputStream(entry).readAllBytes(), name + " is not the one that was built");
      }
    }
  }

  private static Map<String, Path> bundles() throws IOException {
    Map<String, Path> bundles = new TreeMap<>();
    try (Stream<Path> jars = Files.list(Project.SITE.resolve("plugins"))) {
      jars.forEach(jar -> bundles.put(Bundles.symbolicName(Bundles.manifestOf(jar)), jar));
    }
    return bundles;
  }
}
