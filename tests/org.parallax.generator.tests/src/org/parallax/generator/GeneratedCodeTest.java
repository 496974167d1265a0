package org.parallax.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code that is checked in is what EMF generates from the model. */
class GeneratedCodeTest {
  private static final Path MODEL = Path.of(System.getProperty("parallax.model"));

  @TempDir Path directory;

  @Test
  void isWhatTheModelSays() throws IOException {
    Path bundle = directory.toRealPath().resolve("org.parallax.model");
    Files.createDirectories(bundle.resolve("model"));
    for (String file : List.of("parallax.ecore", "parallax.genmodel")) {
      Files.copy(MODEL.resolve("model").resolve(file), bundle.resolve("model").resolve(file));
    }
    GenerateModel.generate(bundle);
    Map<String, String> generated = files(bundle.resolve("src-gen"));
    Map<String, String> present = files(MODEL.resolve("src-gen"));
    assertTrue(generated.size() > 10, generated.keySet().toString());
    String advice = "generate it anew; the command is in tests/org.parallax.generator.tests/pom.xml";
    assertEquals(generated.keySet(), present.keySet(), advice);
    generated.forEach((file, text) -> assertEquals(text, present.get(file), file + ": " + advice));
  }

  private static Map<String, String> files(Path folder) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : (Iterable<Path>) paths.filter(Files::isRegularFile)::iterator) {
        texts.put(folder.relativize(path).toString(), Files.readString(path));
      }
    }
    return texts;
  }
}
