package org.parallax.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where things are in the project. */
final class Project {
  static final Path ROOT = Path.of(System.getProperty("parallax.root"));
  static final Path SITE = ROOT.resolve("update-site/target/repository");
  static final Path PLAIN_IDE =
      ROOT.resolve("tests/plain-ide/target/products/plain-ide/linux/gtk/x86_64");
  /** Made by need_newest_ide in scripts/setup.sh, where its parts can be fetched. */
  static final Path NEWEST_IDE =
      ROOT.resolve("tests/newest-ide/target/products/newest-ide/linux/gtk/x86_64");
  static final Path NEWEST_JAVA = ROOT.resolve(".parallax/newest-java/bin/java");
  /** The part of CDT that the bridge to it needs. */
  static final Path CDT_SITE = ROOT.resolve("tests/cdt-site/target/repository");
  static final Path NATIVE = ROOT.resolve("native/build");

  private Project() {
  }

  /** @return all texts that the first group of a pattern matches in a file */
  static TreeSet<String> matches(Path file, String pattern) throws IOException {
    TreeSet<String> found = new TreeSet<>();
    Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(file));
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return found;
  }
}
