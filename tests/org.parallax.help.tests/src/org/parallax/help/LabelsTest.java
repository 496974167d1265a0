package org.parallax.help;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Labels and messages of the workbench are in property files, from where they can be translated. */
class LabelsTest {
  private static final Path PLUGINS =
      Path.of(System.getProperty("parallax.root")).resolve("plugins");
  /** What a person reads, given a literal with two letters or more. */
  private static final Pattern IN_CODE = Pattern.compile("(?:\\.(?:setText|setToolTipText|setMessage"
      + "|setTitle|setDescription|setErrorMessage|setInfo|setContentDescription|setPartName)"
      + "|new (?:Action|MenuManager|MessageDialog|GroupMarker|Job|WorkspaceJob))"
      + "\\(\\s*\"[^\"]*[A-Za-z]{2,}[^\"]*\"");
  private static final Pattern IN_XML = Pattern.compile(
      "\\s(?:name|label|tooltip|description|title)=\"(?!%)[^\"]*[A-Za-z ]+[^\"]*\"");

  @Test
  void noLabelIsInTheCode() throws IOException {
    List<String> faults = new ArrayList<>();
    int files = 0;
    for (Path file : files(".java")) {
      if (Files.readString(file).contains("import org.eclipse.swt")
          || Files.readString(file).contains("import org.eclipse.jface")) {
        files++;
        collect(IN_CODE, file, faults);
      }
    }
    assertTrue(files > 30, "too few sources of the workbench: " + files);
    assertEquals(List.of(), faults);
  }

  @Test
  void noLabelIsInADescriptionOfAPlugIn() throws IOException {
    List<String> faults = new ArrayList<>();
    List<Path> plugins = files("plugin.xml");
    assertTrue(plugins.size() > 1, plugins::toString);
    for (Path file : plugins) {
      // Names of parameters, annotation types and editors' attributes are no labels.
      String text = Files.readString(file).replaceAll(
          "<(?:parameter|objectClass|type|attribute|property|with|variable|test)\\b[^>]*>", "");
      Matcher matcher = IN_XML.matcher(text);
      while (matcher.find()) {
        faults.add(PLUGINS.relativize(file) + ": " + matcher.group().strip());
      }
    }
    assertEquals(List.of(), faults);
  }

  private static void collect(Pattern pattern, Path file, List<String> faults)
      throws IOException {
    Matcher matcher = pattern.matcher(Files.readString(file));
    while (matcher.find()) {
      faults.add(PLUGINS.relativize(file) + ": " + matcher.group());
    }
  }

  private static List<Path> files(String suffix) throws IOException {
    try (Stream<Path> files = Files.walk(PLUGINS)) {
      return files.filter(file -> file.toString().endsWith(suffix)
          && !file.toString().contains("/target/")).sorted().toList();
    }
  }
}
