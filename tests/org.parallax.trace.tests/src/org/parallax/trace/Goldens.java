package org.parallax.trace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The golden traces that both sides of the format are tested against. */
public final class Goldens {
  private Goldens() {
  }

  /** @return the directory of the golden traces */
  public static Path directory() {
    return Path.of(System.getProperty("parallax.root", "."), "native", "format", "golden");
  }

  static Path trace(String name) {
    return directory().resolve(name);
  }

  static List<Path> all() throws IOException {
    try (Stream<Path> entries = Files.list(directory())) {
      return entries.filter(Files::isDirectory).sorted().toList();
    }
  }

  /** Copies a trace, flat as it is. */
  static Path copy(Path trace, Path target) throws IOException {
    Files.createDirectories(target);
    try (Stream<Path> files = Files.list(trace)) {
      for (Path file : files.toList()) {
        Files.copy(file, target.resolve(file.getFileName().toString()));
      }
    }
    return target;
  }
}
