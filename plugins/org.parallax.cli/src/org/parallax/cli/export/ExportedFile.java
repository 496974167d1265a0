package org.parallax.cli.export;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.parallax.cli.command.CommandFailure;
import org.parallax.cli.command.Console;
import org.parallax.trace.TraceException;

/**
 * The file or directory that an export writes. It has another name until it is complete, so that there is never half of
 * one. Without a name, it becomes standard output when it is complete.
 */
final class ExportedFile {
  /** Writes what is exported, and says what is missing in it. */
  interface Content {
    List<String> write(Path target) throws IOException, TraceException;
  }

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
    try {
      Path directory = target == null ? Files.createTempDirectory("parallax-export")
          : Files.createTempDirectory(target.getParent(), ".parallax-export");
      part = directory;
      Path written = directory.resolve("export");
      List<String> notes = content.write(written);
      if (target == null) {
        Files.copy(written, console.out());
        console.out().flush();
      } else {
        Files.move(written, target, StandardCopyOption.REPLACE_EXISTING);
      }
      return notes;
    } catch (FileSystemException e) {
      throw failure(e.getReason() == null ? "there is no directory " + parent(target) : e.getReason());
    } catch (IOException e) {
      throw failure(e.getMessage());
    } finally {
      if (part != null) {
        remove(part);
      }
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
    } catch (IOException e) {
      // What is left has a hidden name.
    }
  }
}
