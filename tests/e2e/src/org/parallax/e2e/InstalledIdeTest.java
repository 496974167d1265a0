package org.parallax.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Installs the feature from the site into a plain IDE with the p2 director, as a person would;
 * records a program with the agent that came with it, and opens the trace there.
 */
class InstalledIdeTest {
  @TempDir
  private static Path folder;
  private static Path ide;
  private static Path tools;

  @BeforeAll
  static void install() throws Exception {
    ide = folder.resolve("ide");
    Run.command("cp", "-r", Project.PLAIN_IDE, ide).run().expect(0);
    assertEquals(List.of(), installed("org.parallax."), "the plain IDE must be without Parallax");
    Run.command(java(), "-jar", launcher(), "-nosplash", "-consoleLog", "-application",
        "org.eclipse.equinox.p2.director", "-repository", Project.SITE.toUri(), "-installIU",
        "org.parallax.feature.feature.group").run().expect(0);
    tools = file(ide.resolve("plugins"), "org.parallax.agent.linux.x86_64_")
        .resolve("os/linux/x86_64");
  }

  @Test
  void theDirectorInstallsEveryBundle() throws IOException {
    for (String bundle : Bundles.manifests(Project.ROOT.resolve("plugins")).keySet()) {
      assertEquals(1, installed(bundle + ",").size(), bundle);
    }
    assertEquals(1, installed("org.jgrapht.core,").size());
  }

  @Test
  void theDirectorNamesTheFeatureAsInstalled() throws Exception {
    Run.Result roots = Run.command(java(), "-jar", launcher(), "-nosplash", "-application",
        "org.eclipse.equinox.p2.director", "-listInstalledRoots").run().expect(0);
    assertTrue(roots.out().contains("org.parallax.feature.feature.group/"), roots::toString);
  }

  @Test
  void aTraceOfTheInstalledAgentOpens() throws Exception {
    Path trace = folder.resolve("heat trace");
    Run.command(tools.resolve("parallax-record"), "-o", trace, "--", "mpirun.openmpi", "-n", "2",
        Project.NATIVE.resolve("programs/heat.openmpi"), "40", "200", "200").withMpi().run()
        .expect(0);
    long total = Report.of(trace, "critical-path").total();
    assertTrue(total > 0, "an empty critical path");

    Path probe = folder.resolve("probe");
    Path output = folder.resolve("ide.log");
    Process process = Run.command(java(), "-Xmx1g", "-Dparallax.ui.probe=" + probe, "-jar",
        launcher(), "-nosplash", "-consoleLog", "-data", folder.resolve("workspace"),
        "-parallax.open", trace).start(output);
    try {
      String shown = awaitLine(probe, process, output);
      assertTrue(shown.startsWith("critical-path rows="), shown);
      assertTrue(shown.contains(" total=" + total + " "), shown + " instead of total " + total);
      assertTrue(shown.endsWith(" trace=" + trace), shown);
      assertFalse(shown.contains("rows=0 "), shown);
    } finally {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    }
    String log = Files.readString(output);
    assertFalse(log.contains("!ENTRY org.parallax"), log);
    assertFalse(log.contains("Unresolved requirement"), log);
  }

  /** The first line that the workbench writes about a table in sight. */
  private static String awaitLine(Path probe, Process process, Path output) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(4);
    while (System.nanoTime() < end && process.isAlive()) {
      if (Files.exists(probe)) {
        List<String> lines = Files.readAllLines(probe);
        if (!lines.isEmpty()) {
          return lines.get(0);
        }
      }
      Thread.sleep(200);
    }
    throw new AssertionError("no table came into sight; the workbench said:\n"
        + Files.readString(output));
  }

  private static Path java() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }

  private static Path launcher() throws IOException {
    return file(ide.resolve("plugins"), "org.eclipse.equinox.launcher_");
  }

  private static Path file(Path directory, String prefix) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.getFileName().toString().startsWith(prefix)).findFirst()
          .orElseThrow(() -> new AssertionError("no " + prefix + "* in " + directory));
    }
  }

  private static List<String> installed(String prefix) throws IOException {
    Path bundles = ide.resolve("configuration/org.eclipse.equinox.simpleconfigurator/bundles.info");
    return Files.readAllLines(bundles).stream().filter(line -> line.startsWith(prefix)).toList();
  }
}
