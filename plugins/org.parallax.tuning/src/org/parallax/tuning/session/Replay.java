package org.parallax.tuning.session;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.parallax.tuning.analyzer.Analyzer;
import org.parallax.tuning.analyzer.Decision;
import org.parallax.tuning.json.Json;
import org.parallax.tuning.json.JsonException;
import org.parallax.tuning.live.LiveState;
import org.parallax.tuning.live.LiveView;
import org.parallax.tuning.model.ModelException;
import org.parallax.tuning.model.ModelFile;
import org.parallax.tuning.model.TuningModel;

/** Decides again, from the recorded lines of a session, and compares with what was decided then. */
public final class Replay {
  /**
   * A replayed session.
   *
   * @param models its models
   * @param command the program
   * @param decisions all decisions, made again
   * @param differences how they differ from those recorded, in words; empty when all are the same
   * @param state the session at its end
   */
  public record Result(List<TuningModel> models, List<String> command, List<Decision> decisions, List<String> differences,
      LiveState state) {
  }

  private final Path file;
  private final List<String> recorded = new ArrayList<>();
  private final List<String> again = new ArrayList<>();
  private final List<Decision> decisions = new ArrayList<>();
  private List<TuningModel> models = List.of();
  private List<String> command = List.of();
  private Analyzer analyzer;
  private LiveView live;
  private int line;

  private Replay(Path file) {
    this.file = file;
  }

  /**
   * Replays a session.
   *
   * @param directory in which it was recorded
   * @throws SessionException when there is none, or it cannot be read
   */
  public static Result of(Path directory) throws SessionException {
    return new Replay(directory.resolve(SessionWriter.FILE)).run();
  }

  private Result run() throws SessionException {
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      for (String text = reader.readLine(); text != null; text = reader.readLine()) {
        line++;
        if (!take(text, reader)) {
          break;
        }
      }
    } catch (NoSuchFileException e) {
      throw new SessionException("there is no session in " + file.getParent() + "; record one with: parallax tune -o "
          + file.getParent() + " -- COMMAND");
    } catch (IOException e) {
      throw new SessionException("cannot read " + file + ": " + e.getMessage());
    }
    if (analyzer == null) {
      throw new SessionException(file + " is empty; the session ended before it began");
    }
    live.conditions(analyzer.conditions());
    live.standings(analyzer.standings());
    live.lost();
    return new Result(models, command, decisions, differences(), live.state());
  }

  /** @return whether more lines count; a last line that is cut does not */
  private boolean take(String text, BufferedReader reader) throws SessionException, IOException {
    Map<String, Object> object;
    try {
      object = Json.read(text);
    } catch (JsonException e) {
      if (reader.readLine() == null && analyzer != null) {
        return false;
      }
      throw wrong(e.getMessage());
    }
    Map.Entry<String, Object> entry = object.isEmpty() ? null : object.entrySet().iterator().next();
    if (entry == null || !(entry.getValue() instanceof Map<?, ?> content)) {
      throw wrong("expected session, in, out or decision");
    }
    if (analyzer == null) {
      begin(entry.getKey(), content);
      return true;
    }
    switch (entry.getKey()) {
      case "in" -> {
        live.in(content);
        analyzer.take(strings(content));
      }
      case "out", "decision" -> recorded.add(Json.line(object));
      default -> throw wrong("expected in, out or decision, not " + entry.getKey());
    }
    return true;
  }

  private void begin(String kind, Map<?, ?> start) throws SessionException {
    if (!kind.equals("session") || Json.whole(start, "version", 0) != SessionWriter.VERSION) {
      throw wrong("expected a session of version " + SessionWriter.VERSION);
    }
    models = new ArrayList<>();
    if (start.get("models") instanceof List<?> texts) {
      for (Object text : texts) {
        try {
          models.add(ModelFile.parse("model " + (models.size() + 1) + " of " + file, text.toString()));
        } catch (ModelException e) {
          throw new SessionException(e.getMessage());
        }
      }
    }
    command = start.get("command") instanceof List<?> words ? words.stream().map(Object::toString).toList() : List.of();
    boolean isActing = Boolean.TRUE.equals(start.get("act"));
    live = new LiveView(isActing, Json.whole(start, "interval", 0), command);
    Consumer<Map<String, Object>> out = made -> {
      live.out(made);
      again.add(Json.line(Map.of("out", made)));
    };
    analyzer = new Analyzer(models, isActing, Json.whole(start, "seed", 0), Json.whole(start, "interval", 0), out, decision -> {
          live.decision(decision);
          decisions.add(decision);
          again.add(Json.line(Map.of("decision", decision.toMap())));
        });
  }

  private SessionException wrong(String text) {
    return new SessionException(file + ":" + line + ": " + text);
  }

  private static Map<String, Object> strings(Map<?, ?> map) {
    Map<String, Object> made = new LinkedHashMap<>();
    map.forEach((key, value) -> made.put(String.valueOf(key), value));
    return made;
  }

  /** The first lines that differ, as texts: numbers are written in one way; a killed session may lack what followed from its last line. */
  private List<String> differences() {
    List<String> differences = new ArrayList<>();
    int most = 5;
    for (int i = 0; i < recorded.size() && differences.size() < most; i++) {
      String here = i < again.size() ? again.get(i) : "nothing";
      if (!recorded.get(i).equals(here)) {
        differences.add("then " + recorded.get(i) + ", now " + here);
      }
    }
    return differences;
  }
}
