package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Compiles programs of tests/programs that tests need in a way of their own. */
final class Compilers {
  private static final Path REPOSITORY = Path.of("../..").toAbsolutePath().normalize();

  private Compilers() {}

  /**
   * Compiles a program.
   *
   * @param source its file in tests/programs
   * @param compiler and its options; {@code bin/...} is one of this project
   */
  static void compile(Path program, String source, String... compiler)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of(compiler));
    if (compiler[0].startsWith("bin/")) {
      line.set(0, REPOSITORY.resolve(compiler[0]).toString());
    }
    line.addAll(List.of("-o", program.toString(),
        REPOSITORY.resolve("tests/programs").resolve(source).toString()));
    assertEquals(0, new ProcessBuilder(line).inheritIO().start().waitFor(), line.toString());
  }
}
