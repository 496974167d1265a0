package org.parallax.tuning.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.tuning.analyzer.Decision;
import org.parallax.tuning.json.Json;
import org.parallax.tuning.model.BuiltInModels;
import org.parallax.tuning.monitor.Monitor;
import org.parallax.tuning.session.SessionWriter.SessionStart;

class LiveSessionTest {
  private static final SessionStart START =
      new SessionStart(true, 7, 200_000_000, BuiltInModels.all(), List.of("./master", "10"));

  @TempDir Path directory;

  /** Has its lines ready, and hears what it is told. */
  private static final class Lines implements Monitor {
    private final Deque<String> lines = new ArrayDeque<>();
    private final List<Map<String, Object>> heard = new ArrayList<>();
    private boolean staysOpen;

    Lines say(String line) {
      lines.add(line.replace('\'', '"'));
      return this;
    }

    @Override
    public void send(Map<String, Object> line) {
      heard.add(line);
    }

    @Override
    public String receive(long milliseconds) throws InterruptedException {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      return lines.poll();
    }

    @Override
    public boolean isEnded() {
      return lines.isEmpty() && !staysOpen;
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }

  private static final Consumer<Decision> NOBODY = decision -> { };

  /** The monitor of the second host has a clock that began long before that of the first. */
  @Test
  void linesOfAllHostsHaveOneClock() throws Exception {
    Lines monitor = new Lines().say("{'type':'hello','version':1,'host':'h0','pid':1}")
        .say("{'type':'process','host':'h0','pid':1,'event':'started','library':'pvm 3.4.6','time':5000000}")
        .say("{'type':'process','host':'h1','pid':1,'event':'started','library':'pvm 3.4.6','time':9000000000000}")
        .say("{'type':'metrics','host':'h1','pid':1,'time':9000000000001,'points':[]}")
        .say("{'type':'end','status':3,'time':6000000}");
    try (SessionWriter writer = new SessionWriter(directory, START)) {
      LiveSession session = new LiveSession(monitor, START, writer, NOBODY);
      assertTrue(session.run());
      assertEquals(3, session.status());
    }
    int times = 0;
    for (String text : Files.readAllLines(directory.resolve(SessionWriter.FILE))) {
      if (Json.read(text).get("in") instanceof Map<?, ?> line && line.containsKey("time")) {
        assertTrue(Json.whole(line, "time", -1) < 60_000_000_000L, text);
        times++;
      }
    }
    assertTrue(times >= 4, "lines with a time: " + times);
  }

  /** A failure ends the tuning only after what is not verified was undone. */
  @Test
  void aFailureStopsTheTuningFirst() {
    Lines monitor = new Lines().say("{'type':'hello','version':1,'host':'h0','pid':1}").say("{'type':'problem','text':'x'}");
    monitor.staysOpen = true;
    LiveSession session = new LiveSession(monitor, START, null, decision -> {
      throw new IllegalStateException("a full disk");
    });
    assertEquals("a full disk", assertThrows(IllegalStateException.class, session::run).getMessage());
    assertEquals("stop", monitor.heard.get(monitor.heard.size() - 1).get("type"));
  }

  @Test
  void anInterruptStopsTheTuningFirst() {
    Lines monitor = new Lines();
    monitor.staysOpen = true;
    LiveSession session = new LiveSession(monitor, START, null, NOBODY);
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, session::run);
    assertEquals("stop", monitor.heard.get(monitor.heard.size() - 1).get("type"));
  }

  @Test
  void aSessionThatIsThereIsNotWrittenOver() throws Exception {
    new SessionWriter(directory, START).close();
    assertEquals("there is a session already; move or remove " + directory.resolve(SessionWriter.FILE),
        assertThrows(IOException.class, () -> new SessionWriter(directory, START)).getMessage());
  }

  /** The program goes on, and the monitor with it. */
  @Test
  void tuningEndsBeforeTheProgram() throws Exception {
    Lines monitor = new Lines();
    monitor.staysOpen = true;
    LiveSession session = new LiveSession(monitor, START, null, NOBODY);
    session.leave();
    assertTrue(session.run());
    assertEquals("stop", monitor.heard.get(monitor.heard.size() - 1).get("type"));
  }
}
