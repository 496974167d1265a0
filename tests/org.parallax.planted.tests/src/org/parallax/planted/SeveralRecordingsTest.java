package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.reports.CriticalPathReport;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Application;
import org.parallax.model.program.Level;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Progress;

/** Programs that were recorded each by itself while they talked to each other. */
class SeveralRecordingsTest {
  private static final int REQUESTS = 12;

  @TempDir Path directory;

  @Test
  void aServerIsOnThePathOfItsClient() throws Exception {
    Path server = directory.resolve("server");
    Path client = directory.resolve("client");
    CompletableFuture<Recording.Result> served =
        CompletableFuture.supplyAsync(() -> record(server, "serve"));
    assertEquals(0, record(client, "ask").status());
    assertEquals(0, served.join().status(), served.join().output());

    LoadedSession session = SessionBuilder.open(List.of(server, client), Progress.NONE);
    try {
      assertEquals(List.of("client_server", "client_server@client"),
          session.getApplications().stream().map(Application::getName).toList());
      Application asking = session.getApplications().get(1);
      Table alone = CriticalPathReport.of(new ApplicationAnalysis(asking), Level.PROCEDURE,
          Weight.CPU, null, Progress.NONE);
      assertEquals(0, ns(alone, "serve_request(long)"));

      Table path = CriticalPathReport.of(
          ApplicationAnalysis.inter(asking, session.getApplications()), Level.PROCEDURE,
          Weight.CPU, null, Progress.NONE);
      assertEquals(List.of(), path.warnings().stream()
          .filter(warning -> !warning.startsWith("the path weighs CPU time")).toList());
      double serving = ns(path, "serve_request(long)");
      double share = serving / (serving + ns(path, "prepare_request(long)"));
      assertEquals(2.0 / 3, share, 0.1, path.toString());
      int kind = path.column("kind");
      long arcs =
          Recording.sum(path, "count", row -> row.values().get(kind).equals("Stream"));
      assertTrue(arcs <= 2 * REQUESTS && arcs >= 2 * REQUESTS - 2, arcs + ": " + path);
    } finally {
      SessionBuilder.close(session);
    }
  }

  private static long ns(Table table, String procedure) {
    return Recording.sum(table, "time", row -> row.name().equals(procedure));
  }

  private Recording.Result record(Path trace, String role) {
    try {
      return Recording.record(trace, List.of(Recording.program("client_server"), role,
          directory.resolve("address").toString(), "1", String.valueOf(REQUESTS), "30"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
