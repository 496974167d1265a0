package org.parallax.help;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The messages that Parallax gives a person, found in the sources:
 *
 * <ul>
 * <li>of the property files of all bundles the values that are sentences;
 * <li>of the core and the command line the texts of their exceptions for people, and warnings;
 * <li>of the native programs what {@code say}, {@code wrongUse} and {@code fail} get;
 * <li>of ./parallax what {@code fail} and {@code wrong_use} get.
 * </ul>
 */
final class SourceMessages {
  private static final Pattern JAVA = Pattern.compile("\\b(?:new (?:UsageException|CommandFailure"
      + "|ExperimentException|DesignException|TraceException|RecordException|CodeException|Missing"
      + "|NoMoment|NotComparable|MonitorException|SessionException|ControlException"
      + "|ReportException|WrongParameterException|ModelException)"
      + "|warnings\\.add|console\\.warn)\\(|\\bwarn\\(Warning\\.Kind\\.\\w+,"
      + "|\\bProblem\\.(?:error|warning)\\(Topic\\.\\w+,");
  private static final Pattern NATIVE = Pattern.compile("\\b(?:say|wrongUse|fail)\\(");
  private static final Pattern SHELL =
      Pattern.compile("\\b(?:fail|wrong_use) ((?:\"(?:[^\"\\\\]|\\\\.)*\"[ \\\\\n]*)+)");
  /** Native programs that people start, and what they are made of. */
  private static final List<String> TOOLS = List.of("record", "filter_main", "monitor_main",
      "points_main", "disassembly_main", "problem");

  private final Path root;
  /** Messages, and where each is. */
  private final Map<String, String> found = new TreeMap<>();

  private SourceMessages(Path root) {
    this.root = root;
  }

  static Map<String, String> of(Path root) throws IOException {
    SourceMessages messages = new SourceMessages(root);
    messages.collect();
    return messages.found;
  }

  private void collect() throws IOException {
    walk("plugins", ".properties", this::properties);
    walk("plugins", ".java", file -> calls(file, JAVA));
    walk("native/tools", ".cpp", file -> {
      String name = file.getFileName().toString();
      if (!name.contains("test") && TOOLS.stream().anyMatch(name::startsWith)) {
        calls(file, NATIVE);
      }
    });
    shell(root.resolve("parallax"));
    shell(root.resolve("scripts/setup.sh"));
  }

  private interface Reader {
    void read(Path file) throws IOException;
  }

  private void walk(String folder, String suffix, Reader reader) throws IOException {
    try (Stream<Path> files = Files.walk(root.resolve(folder))) {
      for (Path file : files.filter(each -> each.toString().endsWith(suffix)
          && !each.toString().contains("/target/") && !each.toString().contains("/bin/")
          && !each.toString().contains("/generator/")).sorted().toList()) {
        reader.read(file);
      }
    }
  }

  private void properties(Path file) throws IOException {
    Properties properties = new Properties();
    properties.load(new StringReader(Files.readString(file)));
    properties.stringPropertyNames().forEach(key -> {
      String value = properties.getProperty(key);
      boolean sentence = Pattern.compile("[.?](\\s|$)").matcher(value).find();
      // What columns say stands in docs/reports.md.
      boolean explains = key.matches("(?i).*(tip|description|help|hint|intro)")
          || file.endsWith("columns.properties");
      if (sentence && !explains && value.contains(" ")) {
        add(FixedText.ofPattern(value), file);
      }
    });
  }

  private void calls(Path file, Pattern calls) throws IOException {
    String text = withoutComments(Files.readString(file));
    Matcher call = calls.matcher(text);
    while (call.find()) {
      for (String argument : FixedText.split(arguments(text, call.end()), ',')) {
        if (argument.contains("\"")) {
          FixedText.ofExpression(argument).forEach(each -> add(each, file));
          break;
        }
      }
    }
  }

  private static String withoutComments(String source) {
    return source.replaceAll("(?m)^\\s*//.*$", "").replaceAll("(?s)/\\*\\*.*?\\*/", "");
  }

  private static String arguments(String text, int start) {
    String rest = text.substring(start);
    return FixedText.split("(" + rest, ';').get(0).substring(1)
        .transform(SourceMessages::untilClosed);
  }

  private static String untilClosed(String text) {
    int depth = 0;
    char quote = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote != 0) {
        if (c == '\\') {
          i++;
        } else if (c == quote) {
          quote = 0;
        }
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '(') {
        depth++;
      } else if (c == ')' && depth-- == 0) {
        return text.substring(0, i);
      }
    }
    return text;
  }

  private void shell(Path file) throws IOException {
    Matcher call = SHELL.matcher(Files.readString(file));
    while (call.find()) {
      add(FixedText.ofShell(call.group(1)), file);
    }
  }

  private void add(String message, Path file) {
    if (FixedText.isTelling(message)) {
      found.merge(message, root.relativize(file).toString(),
          (one, other) -> one.contains(other) ? one : one + ", " + other);
    }
  }
}
