package org.parallax.help;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The help book against the views that there are, its pages, and the anchors that are linked. */
class BookTest {
  private static final Path ROOT = Path.of(System.getProperty("parallax.root"));
  private static final Path DOCS = ROOT.resolve("docs");

  @Test
  void everyViewHasAChapter() throws IOException {
    Map<String, String> views = views();
    assertTrue(views.size() > 5, views::toString);
    TreeSet<String> missing = new TreeSet<>(views.values());
    missing.removeAll(headings(DOCS.resolve("views.md")));
    assertEquals(new TreeSet<String>(), missing, "views without a chapter in docs/views.md");
  }

  @Test
  void everyChapterIsOfAView() throws IOException {
    TreeSet<String> left = new TreeSet<>(headings(DOCS.resolve("views.md")));
    left.removeAll(views().values());
    // What editors show beside their text.
    left.remove("The source");
    assertEquals(new TreeSet<String>(), left, "chapters of views that are not there");
  }

  @Test
  void everyPageIsInTheContents() throws IOException {
    String contents = Files.readString(DOCS.resolve("help.md"));
    for (Path page : pages()) {
      String name = page.getFileName().toString();
      // Developers read theirs in the sources.
      if (!Set.of("help.md", "developing.md", "architecture.md", "releasing.md").contains(name)) {
        assertTrue(contents.contains("(" + name + ")"), name + " is not in docs/help.md");
      }
    }
  }

  @Test
  void everyLinkBetweenPagesLeadsSomewhere() throws IOException {
    List<String> faults = new ArrayList<>();
    for (Path page : pages()) {
      Matcher link = Pattern.compile("\\]\\(([^)#:]*)(#[^)]*)?\\)")
          .matcher(Files.readString(page).replaceAll("(?s)```.*?```", "").replaceAll("`[^`]*`", ""));
      while (link.find()) {
        Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
        if (!Files.exists(target)) {
          faults.add(page.getFileName() + ": " + link.group());
        } else if (link.group(2) != null && target.toString().endsWith(".md")
            && !anchors(target).contains(link.group(2).substring(1))) {
          faults.add(page.getFileName() + ": no heading " + link.group(2) + " in " + link.group(1));
        }
      }
    }
    assertEquals(List.of(), faults);
  }

  /** What the cheat sheet does are commands of these bundles or of the platform. */
  @Test
  void stepsOfTheCheatSheetAreCommandsAndPages() throws IOException {
    String sheet = Files.readString(
        ROOT.resolve("plugins/org.parallax.help/cheatsheets/slow_part.xml"));
    Matcher page = Pattern.compile("href=\"/org\\.parallax\\.help/html/([\\w-]+)\\.html(#[^\"]*)?\"")
        .matcher(sheet);
    int pages = 0;
    while (page.find()) {
      pages++;
      Path file = DOCS.resolve(page.group(1) + ".md");
      assertTrue(Files.exists(file), page.group());
      assertTrue(page.group(2) == null || anchors(file).contains(page.group(2).substring(1)),
          page.group());
    }
    assertTrue(pages > 3, sheet);
    Matcher view = Pattern.compile("viewId=([\\w.]+)").matcher(sheet);
    while (view.find()) {
      assertTrue(views().containsKey(view.group(1)), view.group());
    }
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.list(DOCS)) {
      return files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
    }
  }

  /** Headings of the second level. */
  private static List<String> headings(Path page) throws IOException {
    return Files.readAllLines(page).stream().filter(line -> line.startsWith("## "))
        .map(line -> line.substring(3).strip()).toList();
  }

  private static List<String> anchors(Path page) throws IOException {
    return Files.readAllLines(page).stream().filter(line -> line.matches("#+ .*"))
        .map(line -> line.replaceFirst("#+ ", "").toLowerCase()
            .replaceAll("[^\\w\\- ]", "").strip().replace(' ', '-')).toList();
  }

  /** The names of the views by their ids. */
  private static Map<String, String> views() throws IOException {
    Map<String, String> views = new TreeMap<>();
    try (Stream<Path> bundles = Files.list(ROOT.resolve("plugins"))) {
      for (Path bundle : bundles.toList()) {
        Path plugin = bundle.resolve("plugin.xml");
        Path names = bundle.resolve("OSGI-INF/l10n/bundle.properties");
        if (Files.exists(plugin) && Files.exists(names)) {
          Properties properties = new Properties();
          properties.load(new StringReader(Files.readString(names)));
          Matcher view = Pattern.compile(
              "<view\\s[^>]*?id=\"(org\\.parallax\\.[^\"]+)\"[^>]*?name=\"%([^\"]+)\"")
              .matcher(Files.readString(plugin));
          while (view.find()) {
            views.put(view.group(1), properties.getProperty(view.group(2)));
          }
        }
      }
    }
    return views;
  }
}
