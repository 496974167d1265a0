package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What bash proposes with the script that is printed. */
class CompletionTest {
  @TempDir Path directory;

  /** The words that are proposed for the last one. */
  private List<String> proposed(String... words) throws IOException, InterruptedException {
    Path script = directory.resolve("completion");
    Run run = Run.of("completion", "bash");
    assertEquals(0, run.status(), run::err);
    Files.writeString(script, run.out());
    Files.createDirectories(directory.resolve("run1"));
    List<String> command = new ArrayList<>(List.of("bash", "-c",
        "compopt() { :; }; source \"$0\"; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); "
        + "_complete_parallax; printf '%s\\n' \"${COMPREPLY[@]}\"", script.toString(), "parallax"));
    command.addAll(List.of(words));
    Process shell = new ProcessBuilder(command).directory(directory.toFile())
        .redirectErrorStream(true).start();
    String text =
        new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, shell.waitFor(), text);
    return List.copyOf(new TreeSet<>(text.lines().filter(line -> !line.isBlank()).toList()));
  }

  @Test
  void commandsOptionsValuesAndFiles() throws Exception {
    assertEquals(List.of("compare", "completion"), proposed("comp"));
    assertEquals(List.of("record", "report"), proposed("re"));
    assertEquals(List.of("design"), proposed("perturb", "de"));
    assertEquals(List.of("critical-path"), proposed("report", "cri"));
    assertEquals(List.of("--level"), proposed("report", "profile", "--le"));
    assertEquals(List.of("procedure", "process"), proposed("report", "profile", "--level", "pro"));
    assertEquals(List.of("csv"), proposed("report", "--format", "c"));
    assertEquals(List.of("run1"), proposed("info", "ru"));
    assertEquals(List.of("flamegraph"), proposed("export", "f"));
  }

  /** The names of studies are those of the script that runs them. */
  @Test
  void studiesAndBenchmarks() throws Exception {
    String script = Files.readString(Path.of("../../scripts/study.sh"));
    String names = script.replaceFirst("(?s).*\\nstudies=\\(([^)]*)\\).*", "$1");
    assertEquals(new TreeSet<>(List.of(names.split(" "))), new TreeSet<>(proposed("study", "")));
    assertEquals(List.of("experiments"), proposed("bench", "exp"));
  }

  @Test
  void otherShellsAreRefused() {
    Run run = Run.of("completion", "fish");
    assertEquals(2, run.status());
    assertTrue(run.err().contains("completion exists only for bash"), run.err());
  }
}
