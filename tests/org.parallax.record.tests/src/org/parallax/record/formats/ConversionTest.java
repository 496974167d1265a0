package org.parallax.record.formats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.Progress;
import org.parallax.trace.TraceException;

/** A conversion that is interrupted leaves nothing. */
@Timeout(60)
class ConversionTest {
  private static final String STARTED = "started";

  @TempDir Path directory;

  /** Converts for ever. */
  static final class Endless {
    public static void main(String[] arguments) throws TraceException {
      Path original = Path.of(arguments[0]);
      new ConversionCache(original, "1", List.of(original)).find(partial -> {
        try {
          Files.writeString(partial.resolve("events"), "some");
          System.out.println(STARTED);
          Thread.sleep(TimeUnit.HOURS.toMillis(1));
        } catch (IOException | InterruptedException e) {
          throw new IllegalStateException(e);
        }
      });
    }
  }

  @Test
  void endingTheProgramDeletesThePartialTrace() throws IOException, InterruptedException {
    Path original = Files.writeString(directory.resolve("some.otf2"), "");
    Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
        System.getProperty("java.class.path"), Endless.class.getName(), original.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (var output = process.inputReader()) {
      assertEquals(STARTED, output.readLine());
      assertEquals(2, names().size(), names()::toString);
      process.destroy();  // SIGTERM, which runs the same hooks as Ctrl-C
      assertTrue(process.waitFor(20, TimeUnit.SECONDS));
      assertEquals(List.of("some.otf2"), names());
    } finally {
      process.destroyForcibly();
    }
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Test
  void aConversionCanBeCancelledBeforeItTellsHowMuchThereIs() {
    Progress cancelled = new Progress() {
      private final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200);

      @Override
      public boolean isCancelled() {
        return System.nanoTime() > endNs;
      }
    };
    List<String> command = List.of("sh", "-c", "while sleep 0.05; do echo definitions; done");
    assertThrows(CancellationException.class, () -> NativeImport.run(command, cancelled, line -> {}));
  }
}
