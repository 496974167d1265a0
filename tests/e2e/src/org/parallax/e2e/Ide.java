package org.parallax.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A copy of the plain IDE, into which features are installed with its own p2 director. */
record Ide(Path folder) {
  static Ide copiedTo(Path folder) throws Exception {
    Run.command("cp", "-r", Project.PLAIN_IDE, folder).run().expect(0);
    return new Ide(folder);
  }

  /** @return the installation of features from sites, separated by commas */
  Run.Result install(String sites, String features) throws Exception {
    return director("-repository", sites, "-installIU", features);
  }

  Run.Result director(Object... arguments) throws Exception {
    Object[] words = Stream.concat(Stream.of(java(), "-jar", launcher(), "-nosplash",
        "-consoleLog", "-application", "org.eclipse.equinox.p2.director"),
        Stream.of(arguments)).toArray();
    return Run.command(words).run();
  }

  static Path java() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
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
