package org.parallax.trace;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.parallax.trace.series.ExternalSeries;

/** The files of a trace, found by name; or the reason why a path is not a trace. */
final class TraceDirectory {
  static final String DEFINITIONS_SUFFIX = ".def";
  static final String EVENTS_SUFFIX = ".evt";
  private static final int MAX_LISTED = 5;
  private static final int MAX_LOOKED_AT = 1000;

  /** The files, which for a trace of another format are elsewhere. */
  final Path path;
  /** The trace as a person names it. */
  final Path shown;
  final Manifest manifest;
  /** Definitions files by stem (HOST.PID.SEQ). */
  final Map<String, Path> definitions = new TreeMap<>();
  /** The stems of definitions files without bytes. */
  final Set<String> empty = new TreeSet<>();
  /** Event files by the stem of their process, then by thread. */
  final Map<String, Map<Integer, Path>> events = new TreeMap<>();
  /** What monitors wrote, by name. */
  final Map<String, Path> series = new TreeMap<>();
  /** What is told of processes by others, by host as file names have it. */
  final Map<String, Path> outcomes = new TreeMap<>();
  final List<String> warnings = new ArrayList<>();

  private TraceDirectory(Path path, Path shown, Manifest manifest) {
    this.path = path;
    this.shown = shown;
    this.manifest = manifest;
  }

  /**
   * Finds the files of a trace.
   *
   * @param given the trace's directory, or the manifest in it, or a trace of another format
   * @param progress told of the conversion of a trace of another format; may cancel
   */
  static TraceDirectory find(Path given, Progress progress) throws TraceException {
    TraceFormat format = TraceFormats.of(given);
    if (format != null) {
      return locate(format.convert(given, progress), given);
    }
    try {
      return locate(given, null);
    } catch (TraceException e) {
      if (TraceFormats.faults().isEmpty()) {
        throw e;
      }
      throw new TraceException(e.getMessage() + ". Traces of other tools cannot be read: "
          + String.join("; ", TraceFormats.faults()), "", e);
    }
  }

  /** @param shown the trace of another format, null for one of Parallax */
  private static TraceDirectory locate(Path given, Path shown) throws TraceException {
    Path path = given;
    if (path.endsWith(Manifest.FILE_NAME) && Files.isRegularFile(path)) {
      path = path.toAbsolutePath().getParent();
    }
    if (!Files.exists(path)) {
      throw new TraceException("there is no trace directory " + given, nearNames(path));
    }
    if (!Files.isDirectory(path)) {
      throw new TraceException(given + " is a file, but a trace is a directory",
          nearTraces(path));
    }
    try {
      return read(path, shown == null ? path : shown);
    } catch (AccessDeniedException e) {
      throw new TraceException("permission to read " + e.getFile() + " is denied",
          "Make the file readable for this user, or run as the user who recorded the trace", e);
    } catch (IOException e) {
      throw new TraceException("the trace directory " + given + " cannot be read: "
          + e.getMessage(), "", e);
    }
  }

  private static TraceDirectory read(Path path, Path shown) throws IOException, TraceException {
    Path manifestFile = path.resolve(Manifest.FILE_NAME);
    boolean hasManifest = Files.isRegularFile(manifestFile);
    Manifest manifest = hasManifest ? Manifest.read(manifestFile) : Manifest.empty();
    if (manifest.version() > Manifest.VERSION) {
      throw new TraceException("the trace " + path + " has format " + manifest.version()
          + ", but this version of Parallax reads format " + Manifest.VERSION,
          "Use the version of Parallax that recorded the trace" + (manifest.agent().isEmpty() ? ""
              : " (agent " + manifest.agent() + ")") + " or a later one");
    }
    TraceDirectory directory = new TraceDirectory(path, shown, manifest);
    int entries = directory.list();
    boolean isManifest = manifest.version() > 0;
    if (directory.definitions.isEmpty()) {
      if (isManifest) {
        throw directory.noProcess();
      }
      throw new TraceException(entries == 0 ? "the directory " + path + " is empty"
          : "the directory " + path + " is not a trace: it has no "
              + (hasManifest ? "trace's manifest" : "manifest")
              + " and no definitions of a process", nearTraces(path));
    }
    if (!isManifest) {
      directory.warnings.add((hasManifest ? "the manifest does not have the format of the trace"
          : "the trace has no manifest") + ": the command and date of the run are unknown");
    }
    return directory;
  }

  private int list() throws IOException {
    int entries = 0;
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(path)) {
      for (Path file : stream) {
        entries++;
        String name = file.getFileName().toString();
        if (name.endsWith(DEFINITIONS_SUFFIX) && Files.size(file) == 0) {
          empty.add(stem(file));
        } else if (name.endsWith(DEFINITIONS_SUFFIX)) {
          definitions.put(stem(file), file);
        } else if (name.endsWith(EVENTS_SUFFIX)) {
          addEvents(file, name.substring(0, name.length() - EVENTS_SUFFIX.length()));
        } else if (name.endsWith(ProcessEnds.OUTCOMES_SUFFIX)) {
          outcomes.put(
              name.substring(0, name.length() - ProcessEnds.OUTCOMES_SUFFIX.length()), file);
        } else if (name.endsWith(ExternalSeries.SUFFIX) && !name.startsWith(".")) {
          series.put(name.substring(0, name.length() - ExternalSeries.SUFFIX.length()), file);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    for (String stem : empty) {
      if (!events.containsKey(stem)) {
        warnings.add("process " + stem + " (host.pid.number) left no record: there was no space for its "
            + "files, or it was killed just after its start");
      }
    }
    return entries;
  }

  /** HOST.PID.SEQ of a definitions file. */
  static String stem(Path definitionsFile) {
    String name = definitionsFile.getFileName().toString();
    return name.substring(0, name.length() - DEFINITIONS_SUFFIX.length());
  }

  private void addEvents(Path file, String stemAndThread) {
    int dot = stemAndThread.lastIndexOf('.');
    try {
      int thread = Integer.parseInt(stemAndThread.substring(dot + 1));
      if (dot > 0 && thread >= 0) {
        events.computeIfAbsent(stemAndThread.substring(0, dot), stem -> new TreeMap<>())
            .put(thread, file);
        return;
      }
    } catch (NumberFormatException e) {
      // Not a name of the format.
    }
    warnings.add("the file " + file.getFileName() + " is ignored: its name is not that of an event "
        + "file (HOST.PID.SEQ.THREAD.evt)");
  }

  private TraceException noProcess() {
    String command = manifest.command().isEmpty() ? "" : " of: " + manifest.command();
    return new TraceException("the trace " + path + " has no process: the agent was not loaded "
        + "during the run" + command, "Likely causes: the command did not start, or the program is "
        + "statically linked or setuid. Check with: file PROGRAM, ls -l PROGRAM");
  }

  /** Whether this is the directory of a trace. */
  static boolean isTrace(Path directory) {
    try {
      Path manifest = directory.resolve(Manifest.FILE_NAME);
      return Files.isRegularFile(manifest) && Manifest.read(manifest).version() > 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether a path has files of a trace of Parallax, or is one of them; all of the trace may not be there. */
  static boolean hasFiles(Path path) {
    if (!Files.isDirectory(path)) {
      return path.endsWith(Manifest.FILE_NAME);
    }
    if (Files.exists(path.resolve(Manifest.FILE_NAME))) {
      return true;
    }
    try (DirectoryStream<Path> found =
        Files.newDirectoryStream(path, "*.*.*" + DEFINITIONS_SUFFIX)) {
      return found.iterator().hasNext();
    } catch (IOException | DirectoryIteratorException e) {
      return false;
    }
  }

  /** Traces around a path that is not one. */
  private static String nearTraces(Path path) {
    Path parent = path.toAbsolutePath().normalize().getParent();
    if (parent != null && isTrace(parent)) {
      return "The parent directory is a trace: " + parent;
    }
    List<Path> found = directoriesIn(path);
    found.removeIf(directory -> !isTrace(directory));
    if (!found.isEmpty()) {
      return "Traces in this directory: " + names(found);
    }
    return "Record one with: parallax record -o DIR -- COMMAND";
  }

  /** Names like that of a path that does not exist. */
  private static String nearNames(Path path) {
    Path parent = path.toAbsolutePath().normalize().getParent();
    if (parent == null || !Files.isDirectory(parent)) {
      return parent == null ? "" : "The directory " + parent + " does not exist either";
    }
    String name = path.getFileName().toString().toLowerCase(Locale.ROOT);
    List<Path> found = directoriesIn(parent);
    found.removeIf(directory -> !isTrace(directory));
    int close = Math.max(2, name.length() / 3);
    List<Path> near = new ArrayList<>(found);
    near.removeIf(directory -> EditDistance.of(name, lowerName(directory)) > close);
    near.sort(Comparator.comparingInt(directory -> EditDistance.of(name, lowerName(directory))));
    if (!near.isEmpty()) {
      return "Did you mean " + names(near) + "?";
    }
    return found.isEmpty() ? "There is no trace in " + parent
        : "Traces in " + parent + ": " + names(found);
  }

  private static String lowerName(Path path) {
    return path.getFileName().toString().toLowerCase(Locale.ROOT);
  }

  /** Not hidden ones, as those of converted traces are. */
  private static List<Path> directoriesIn(Path directory) {
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(directory)) {
      try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory,
          entry -> Files.isDirectory(entry) && !entry.getFileName().toString().startsWith("."))) {
        for (Path entry : stream) {
          if (found.size() == MAX_LOOKED_AT) {
            break;
          }
          found.add(entry);
        }
      } catch (IOException | DirectoryIteratorException e) {
        // Suggestions are a courtesy: without them the message still has its fact.
      }
    }
    Collections.sort(found);
    return found;
  }

  private static String names(List<Path> paths) {
    StringBuilder text = new StringBuilder();
    for (Path path : paths.subList(0, Math.min(MAX_LISTED, paths.size()))) {
      text.append(text.length() == 0 ? "" : ", ").append(path);
    }
    int more = paths.size() - MAX_LISTED;
    return more > 0 ? text + " and " + more + " more" : text.toString();
  }
}
