package org.parallax.tuning.session;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.parallax.tuning.analyzer.Decision;
import org.parallax.tuning.json.Json;
import org.parallax.tuning.model.TuningModel;

/**
 * Records a session as lines of JSON in {@code session.jsonl}: first how it began, then what the analyzer took ("in"), what
 * it sent ("out") and what it decided ("decision"), in this order. Each line is on disk before the next, so a killed
 * session can be replayed up to there.
 */
public final class SessionWriter implements AutoCloseable {
  /** The file in the directory of a session. */
  public static final String FILE = "session.jsonl";
  /** The version of its lines. */
  public static final int VERSION = 1;

  private final Writer writer;
  private IOException failure;

  /**
   * Begins a session in a directory, which is made.
   *
   * @throws IOException when there is a session already, or the file cannot be written
   */
  public SessionWriter(Path directory, SessionStart start) throws IOException {
    makeDirectory(directory);
    Path file = directory.resolve(FILE);
    try {
      Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (FileAlreadyExistsException e) {
      throw new IOException("there is a session already; move or remove " + file, e);
    }
    writer = Files.newBufferedWriter(file, StandardCharsets.UTF_8, StandardOpenOption.WRITE);
    write("session", start.toMap());
  }

  /** One that is new is for its owner only. */
  private static void makeDirectory(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(directory.toAbsolutePath().getParent());
      Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
  }

  /** Records a line that the analyzer takes; the secret of a run is left out. */
  public void in(Map<String, Object> line) {
    Map<String, Object> shown = new LinkedHashMap<>(line);
    shown.keySet().removeAll(Set.of("secret"));
    write("in", shown);
  }

  /** Records a line that the analyzer sends. */
  public void out(Map<String, Object> line) {
    write("out", line);
  }

  /** Records a decision. */
  public void decision(Decision decision) {
    write("decision", decision.toMap());
  }

  private void write(String kind, Map<String, Object> content) {
    if (failure == null) {
      try {
        writer.write(Json.line(Map.of(kind, content)));
        writer.write('\n');
        writer.flush();
      } catch (IOException e) {
        failure = e;
      }
    }
  }

  /** @return why the session is not complete, or null */
  public String failure() {
    return failure == null ? null : failure.getMessage();
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }

  /**
   * How a session began.
   *
   * @param isActing whether actions are done
   * @param seed of the analyzer
   * @param intervalNs in which metrics come
   * @param models their texts are in the file
   * @param command the program
   */
  public record SessionStart(boolean isActing, long seed, long intervalNs, List<TuningModel> models, List<String> command) {
    Map<String, Object> toMap() {
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("version", VERSION);
      map.put("act", isActing);
      map.put("seed", seed);
      map.put("interval", intervalNs);
      map.put("models", models.stream().map(TuningModel::text).toList());
      map.put("command", command);
      return map;
    }
  }
}
