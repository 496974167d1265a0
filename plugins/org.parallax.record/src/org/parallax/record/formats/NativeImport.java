package org.parallax.record.formats;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.parallax.record.Agent;
import org.parallax.record.CodeTool;
import org.parallax.record.RecordException;
import org.parallax.trace.Progress;
import org.parallax.trace.TraceException;

/** Runs a native program that converts a trace and prints lines with the work done and all of it. */
final class NativeImport {
  private NativeImport() {}

  /**
   * Converts a file of another tool.
   *
   * @param program which of the agent's programs does it; it takes the option {@code --progress}, the file and the directory
   * @param missing tells that the program cannot be started, and why
   */
  static void convert(CodeTool.Place place, Function<Agent, Path> program, Path file, Path directory, Progress progress,
      Function<Exception, TraceException> missing) throws TraceException {
    try {
      String command = program.apply(place.find()).toString();
      run(List.of(command, "--progress", file.toString(), directory.toString()), progress, line -> {});
    } catch (RecordException | IOException e) {
      throw missing.apply(e);
    }
  }

  /**
   * Waits until the program has ended.
   *
   * @param progress told of its lines; may cancel, which ends the program
   * @param others told of the lines that tell no work
   * @throws IOException when the program cannot be started
   * @throws TraceException when it failed: what it said
   */
  static void run(List<String> command, Progress progress, Consumer<String> others) throws IOException, TraceException {
    Path errors = Files.createTempFile("parallax-import", ".err");
    try {
      Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
      try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
        process.getOutputStream().close();
        long done = -1;
        for (String line = output.readLine(); line != null; line = output.readLine()) {
          done = report(line, done, progress, others);
        }
        if (process.waitFor() != 0) {
          String said = new String(Files.readAllBytes(errors), StandardCharsets.UTF_8).strip();
          throw new TraceException(said.isEmpty() ? command.get(0) + " exited with status " + process.exitValue()
              + " without a message" : said.replaceFirst("^parallax-[a-z0-9]+: ", ""), "");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CancellationException("cancelled");
      } finally {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroy();
      }
    } finally {
      Files.deleteIfExists(errors);
    }
  }

  /** @return the work that is done, -1 if that was not told yet */
  private static long report(String line, long before, Progress progress, Consumer<String> others) {
    progress.check();
    String[] words = line.split(" ");
    if (words.length != 2 || !words[0].matches("\\d{1,18}") || !words[1].matches("\\d{1,18}")) {
      others.accept(line);
      return before;
    }
    if (before < 0) {
      progress.begin("converting", Long.parseLong(words[1]));
    }
    long done = Long.parseLong(words[0]);
    progress.worked(Math.max(0, done - Math.max(0, before)));
    return done;
  }
}
