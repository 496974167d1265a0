package org.parallax.e2e;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A copy of a plain IDE, into which features are installed with its own p2 director.
 *
 * @param folder where it is
 * @param java the command that starts Java for it, with options
 */
record Ide(Path folder, List<String> java) {
  /** @return a copy of the oldest IDE that Parallax supports, on the Java of the tests */
  static Ide copiedTo(Path folder) throws Exception {
    return copied(Project.PLAIN_IDE, folder,
        List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
  }

  /**
   * @return a copy of the newest IDE on a newer Java, which scripts/setup.sh fetched
   *     (need_newest_ide); its Java lacks the module jdk.xml.dom, which the platform uses, and
   *     gets those packages from a library
   */
  static Ide newestCopiedTo(Path folder) throws Exception {
    return copied(Project.NEWEST_IDE, folder, List.of(Project.NEWEST_JAVA.toString(),
        "-Xbootclasspath/a:" + Project.ROOT.resolve("tests/newest-ide/target/xml-apis.jar")));
  }

  private static Ide copied(Path original, Path folder, List<String> java) throws Exception {
    Run.command("cp", "-r", original, folder).run().expect(0);
    return new Ide(folder, java);
  }

  /** @return the installation of features from sites, separated by commas */
  Run.Result install(String sites, String features) throws Exception {
    return director("-repository", sites, "-installIU", features);
  }

  Run.Result director(Object... arguments) throws Exception {
    return command(List.of(), "-application", "org.eclipse.equinox.p2.director").and(arguments).run();
  }

  /** @return the command that starts it, with more options of Java and arguments of its own */
  Run command(List<String> options, Object... arguments) throws IOException {
    return Run.command(java.toArray()).and(options.toArray())
        .and("-jar", launcher(), "-nosplash", "-consoleLog").and(arguments);
  }

  /** As {@link #shows}, by the name of the trace. */
  void opens(Path trace, long total, Path scratch) throws Exception {
    shows(trace, total, scratch, "-parallax.open", trace);
  }

  /**
   * Starts the workbench and waits for the critical path of a trace to come into sight.
   *
   * @param scratch a folder for the workspace and the log
   * @param total what the table's total must be
   * @param arguments of the workbench
   */
  void shows(Path trace, long total, Path scratch, Object... arguments) throws Exception {
    Path probe = scratch.resolve("probe");
    Files.deleteIfExists(probe);
    Path output = scratch.resolve("ide.log");
    Process process = command(List.of("-Xmx1g", "-Dparallax.ui.probe=" + probe), "-data",
        scratch.resolve("workspace")).and(arguments).start(output);
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

  Path launcher() throws IOException {
    return bundle("org.eclipse.equinox.launcher_");
  }

  /** @return the folder or jar of a bundle whose file name begins so */
  Path bundle(String prefix) throws IOException {
    Path plugins = folder.resolve("plugins");
    try (Stream<Path> files = Files.list(plugins)) {
      return files.filter(file -> file.getFileName().toString().startsWith(prefix)).findFirst()
          .orElseThrow(() -> new AssertionError("no " + prefix + "* in " + plugins));
    }
  }

  /** @return the lines of installed bundles that begin so */
  List<String> installed(String prefix) throws IOException {
    Path bundles =
        folder.resolve("configuration/org.eclipse.equinox.simpleconfigurator/bundles.info");
    return Files.readAllLines(bundles).stream().filter(line -> line.startsWith(prefix)).toList();
  }
}
