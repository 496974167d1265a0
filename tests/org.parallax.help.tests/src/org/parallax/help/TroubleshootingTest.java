package org.parallax.help;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Every message that Parallax gives a person has a heading in docs/troubleshooting.md. */
class TroubleshootingTest {
  private static final Path ROOT = Path.of(System.getProperty("parallax.root"));
  private static final Path PAGE = ROOT.resolve("docs/troubleshooting.md");

  @Test
  void everyMessageHasAHeading() throws IOException {
    Map<String, String> messages = SourceMessages.of(ROOT);
    assertTrue(messages.size() > 200, "too few messages are found: " + messages.size());
    Map<String, String> headings = headings();
    List<String> missing = new ArrayList<>();
    messages.forEach((message, file) -> {
      if (!headings.containsKey(message)) {
        missing.add(file + "\n### `" + message + "`\n");
      }
    });
    assertEquals(List.of(), missing, () -> missing.size()
        + " messages have no heading in docs/troubleshooting.md:\n" + String.join("\n", missing));
  }

  @Test
  void everyHeadingIsAMessage() throws IOException {
    TreeSet<String> left = new TreeSet<>(headings().keySet());
    left.removeAll(SourceMessages.of(ROOT).keySet());
    assertEquals(new TreeSet<String>(), left, "headings of messages that are gone");
  }

  @Test
  void everyMessageIsExplained() throws IOException {
    headings().forEach((message, text) -> assertTrue(text.length() > 20,
        "nothing is said of the message " + message));
  }

  /** The headings that are messages, each with what is below it. */
  private static Map<String, String> headings() throws IOException {
    Map<String, String> headings = new LinkedHashMap<>();
    String heading = null;
    for (String line : Files.readAllLines(PAGE)) {
      if (line.startsWith("### `") && line.endsWith("`")) {
        heading = line.substring(5, line.length() - 1);
        headings.put(heading, "");
      } else if (line.startsWith("#")) {
        heading = null;
      } else if (heading != null && !line.isBlank()) {
        // Headings that follow each other share what is said of them.
        headings.merge(heading, line, String::concat);
      }
    }
    List<String> open = new ArrayList<>();
    headings.forEach((message, text) -> {
      open.add(message);
      if (!text.isEmpty()) {
        open.forEach(each -> headings.put(each, text));
        open.clear();
      }
    });
    return headings;
  }
}
