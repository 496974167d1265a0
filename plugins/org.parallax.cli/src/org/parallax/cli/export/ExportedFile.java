package org.parallax.cli.export;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.parallax.cli.command.CommandFailure;
import org.parallax.cli.command.Console;
import org.parallax.trace.TraceException;

/**
 * The file or directory that an export writes. It has another name until it is complete, so that there is never half of
 * one, not even after Ctrl-C. A link stays: the file behind it is replaced. A device or a pipe gets the complete
 * contents, and so does standard output if there is no name.
 */
final class ExportedFile {
  /** Writes what is exported, and says what is missing in it. */
  interface Content {
    List<String> write(Path target) throws IOException, TraceException;
  }

  private static final int REMOVE_ATTEMPTS = 20;
  private static final int REMOVE_PAUSE_MS = 50;

  private final String name;
  private final boolean isDirectory;

  /** @param name null for standard output */
  ExportedFile(String name, boolean isDirectory) {
    this.name = name;
    this.isDirectory = isDirectory;
  }

  List<String> write(Content content, Console console) throws CommandFailure, TraceException {
    Path target = name == null ? null : Path.of(name).toAbsolutePath();
    if (target != null && (isDirectory ? Files.exists(target) : Files.isDirectory(target))) {
      throw new CommandFailure(name + " exists already; remove it or choose another name with -o");
    }
    Path part = null;
    Thread atExit = null;
    try {
      boolean isStream = target == null || Files.exists(target) && !Files.isRegularFile(target);
      if (target != null && !isStream && Files.exists(target)) {
        target = target.toRealPath();
      }
      Path directory = isStream ? Files.createTempDirectory("parallax-export")
          : Files.createTempDirectory(target.getParent(), ".parallax-export");
      part = directory;
      atExit = new Thread(() -> removeAtExit(directory), "remove " + directory);
      Runtime.getRuntime().addShutdownHook(atExit);
      Path written = directory.resolve("export");
      List<String> notes = content.write(written);
      if (target == null) {
        Files.copy(written, console.out());
        console.out().flush();
      } else if (isStream) {
        try (OutputStream out = Files.newOutputStream(target, StandardOpenOption.WRITE)) {
          Files.copy(written, out);
        }
      } else {
        Files.move(written, target, StandardCopyOption.REPLACE_EXISTING);
      }
      return notes;
    } catch (AccessDeniedException e) {
      throw failure("permission denied");
    } catch (FileSystemException e) {
      throw failure(e.getReason() == null ? "there is no directory " + parent(target) : e.getReason());
    } catch (IOException e) {
      throw failure(e.getMessage());
    } finally {
      if (part != null) {
        remove(part);
      }
      forget(atExit);
    }
  }

  private static Path parent(Path target) {
    return target == null ? Path.of("") : target.getParent();
  }

  private CommandFailure failure(String reason) {
    return new CommandFailure("the file " + (name == null ? "" : name) + " cannot be written: " + reason);
  }

  private static void remove(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    } catch (IOException | UncheckedIOException e) {
      // What is left has a hidden name.
    }
  }

  /** The program that writes may go on for a moment. */
  private static void removeAtExit(Path directory) {
    for (int attempt = 0; attempt < REMOVE_ATTEMPTS; attempt++) {
      remove(directory);
      if (!Files.exists(directory)) {
        return;
      }
      try {
        Thread.sleep(REMOVE_PAUSE_MS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** @param atExit null if there is none */
  private static void forget(Thread atExit) {
    try {
      if (atExit != null) {
        Runtime.getRuntime().removeShutdownHook(atExit);
      }
    } catch (IllegalStateException e) {
      // The hook runs.
    }
  }
}
