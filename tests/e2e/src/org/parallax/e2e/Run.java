package org.parallax.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** A command, run to its end. */
final class Run {
  private final List<String> command;
  private final Map<String, String> environment = new TreeMap<>();
  private final List<String> unset = new ArrayList<>();
  private Path directory = Project.ROOT;
  private int timeoutSeconds = 300;

  /** How it ended. */
  record Result(List<String> command, int status, String out, String err, double seconds) {
    /** @return this when the status is as expected */
    Result expect(int expected) {
      if (status != expected) {
        throw new AssertionError(this + " instead of status " + expected);
      }
      return this;
    }

    @Override
    public String toString() {
      return String.join(" ", command) + "\nexited with status " + status + ", standard output:\n"
          + out + "\nstandard error:\n" + err;
    }
  }

  private Run(List<String> command) {
    this.command = command;
  }

  static Run command(Object... words) {
    return new Run(new ArrayList<>()).and(words);
  }

  /** @return ./parallax with arguments */
  static Run parallax(Object... arguments) {
    Run run = command(arguments);
    run.command.add(0, Project.ROOT.resolve("parallax").toString());
    return run;
  }

  /** Adds words to the command. */
  Run and(Object... words) {
    for (Object word : words) {
      command.add(word.toString());
    }
    return this;
  }

  Run in(Path folder) {
    directory = folder;
    return this;
  }

  Run with(String name, String value) {
    environment.put(name, value);
    return this;
  }

  Run without(String... names) {
    unset.addAll(List.of(names));
    return this;
  }

  Run within(int seconds) {
    timeoutSeconds = seconds;
    return this;
  }

  /**
   * Open MPI's leave to run as root and with more ranks than cores: version 4, and the PRRTE of version 5. The
   * same as allow_open_mpi in scripts/setup.sh.
   */
  Run withMpi() {
    return with("OMPI_ALLOW_RUN_AS_ROOT", "1").with("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .with("PRTE_ALLOW_RUN_AS_ROOT", "1").with("PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .with("OMPI_MCA_rmaps_base_oversubscribe", "1")
        .with("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe");
  }

  /** Starts it without waiting, with its output in a file. */
  Process start(Path output) throws IOException {
    return builder().redirectErrorStream(true).redirectOutput(output.toFile()).start();
  }

  Result run() throws IOException, InterruptedException {
    Path out = Files.createTempFile("parallax", ".out");
    Path err = Files.createTempFile("parallax", ".err");
    try {
      long start = System.nanoTime();
      Process process =
          builder().redirectOutput(out.toFile()).redirectError(err.toFile()).start();
      if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
        throw new AssertionError(String.join(" ", command) + " did not end within "
            + timeoutSeconds + " s\n" + Files.readString(out) + Files.readString(err));
      }
      return new Result(command, process.exitValue(), Files.readString(out),
          Files.readString(err), (System.nanoTime() - start) / 1e9);
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  private ProcessBuilder builder() {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.redirectInput(Path.of("/dev/null").toFile());
    builder.environment().putAll(environment);
    builder.environment().keySet().removeAll(unset);
    return builder;
  }
}
