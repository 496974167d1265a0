package org.parallax.model.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.model.ModelFactory;
import org.parallax.model.Run;
import org.parallax.model.RunMode;
import org.parallax.model.Session;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Progress;
import org.parallax.trace.TraceException;
import org.parallax.trace.testing.TraceBuilder;

/** Sessions as files. */
class SessionFileTest {
  @TempDir Path directory;

  private static Run run(String name, RunMode mode, String command, String trace) {
    Run run = ModelFactory.eINSTANCE.createRun();
    run.setName(name);
    run.setMode(mode);
    run.setCommand(command);
    run.setTrace(trace);
    return run;
  }

  private static List<String> describe(Session session) {
    return session.getRuns().stream().map(run -> run.getName() + " " + run.getMode() + " "
        + run.getCommand() + " " + run.getTrace()).toList();
  }

  @Test
  void whatIsWrittenIsRead() throws Exception {
    Path file = directory.resolve("all.parallax");
    Session session = ModelFactory.eINSTANCE.createSession();
    session.getRuns().add(run("server", RunMode.ACTIVE, "./server --name \"a <b> & c\"", "s.trace"));
    session.getRuns().add(run("old", RunMode.COMPARISON, null, "/elsewhere/old"));
    SessionFile.write(session, file);
    assertEquals(describe(session), describe(SessionFile.read(file)));
    assertEquals(2, session.getRuns().size(), "writing leaves the session as it is");
    String text = Files.readString(file);
    assertTrue(text.lines().count() >= 6 && text.contains("<runs"), text);
    assertEquals(directory.resolve("s.trace"), SessionFile.trace(file, session.getRuns().get(0)));
    assertEquals(Path.of("/elsewhere/old"), SessionFile.trace(file, session.getRuns().get(1)));
    assertEquals("x/y", SessionFile.named(file, directory.resolve("x/y")));
    assertEquals("../z", SessionFile.named(file, directory.resolveSibling("z")));
  }

  @Test
  void itsRunsAreOpenedInTheirModes() throws Exception {
    new TraceBuilder(directory.resolve("new")).mpiJob("n", "/opt/ring", 2).write();
    new TraceBuilder(directory.resolve("old")).mpiJob("n", "/opt/ring", 1).write();
    Path file = directory.resolve("both.parallax");
    Session written = ModelFactory.eINSTANCE.createSession();
    written.getRuns().add(run("new", RunMode.REPLAY, null, "new"));
    written.getRuns().add(run("old", RunMode.COMPARISON, null, "old"));
    SessionFile.write(written, file);
    LoadedSession session = SessionBuilder.open(List.of(file), Progress.NONE);
    try {
      assertEquals(List.of("ring REPLAY", "ring@old COMPARISON"), session.getApplications()
          .stream().map(each -> each.getName() + " " + each.getMode()).toList());
    } finally {
      SessionBuilder.close(session);
    }
  }

  @Test
  void whatIsWrongIsSaidWithItsLine() throws Exception {
    Path file = directory.resolve("bad.parallax");
    assertTrue(assertThrows(TraceException.class, () -> SessionFile.read(file)).getMessage()
        .contains("there is no session file"));
    Files.writeString(file, "<?xml version=\"1.0\"?>\n<x>\n");
    assertTrue(assertThrows(TraceException.class, () -> SessionFile.read(file)).getMessage()
        .contains("cannot be read"));
    String start = "<?xml version=\"1.0\"?>\n<parallax:Session xmi:version=\"2.0\"\n"
        + "xmlns:xmi=\"http://www.omg.org/XMI\" xmlns:parallax=\"urn:parallax:model:1\">\n";
    Files.writeString(file, start + "<runs name=\"a\" trase=\"b\"/>\n</parallax:Session>\n");
    String message = assertThrows(TraceException.class, () -> SessionFile.read(file)).getMessage();
    assertTrue(message.contains("line 4") && message.contains("trase"), message);
    Files.writeString(file, start + "<runs name=\"a\" mode=\"ACTIVE\"/></parallax:Session>");
    assertTrue(assertThrows(TraceException.class, () -> SessionFile.read(file)).getMessage()
        .contains("the run a has no trace"));
    Files.writeString(file, "<!DOCTYPE x SYSTEM \"/etc/passwd\">" + start + "</parallax:Session>");
    assertThrows(TraceException.class, () -> SessionFile.read(file));
  }
}
