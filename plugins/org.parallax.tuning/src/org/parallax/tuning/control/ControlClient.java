package org.parallax.tuning.control;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.parallax.tuning.json.Json;
import org.parallax.tuning.json.JsonException;
import org.parallax.tuning.monitor.SocketLine;
import org.parallax.tuning.session.SessionWriter;

/** Gives commands to a session of another process. */
public final class ControlClient {
  private static final int MOST_ANSWER_BYTES = 16 << 20;
  /** Longer than a session takes for a command, with another one before it. */
  private static final long PATIENCE_MS = 30_000;

  private ControlClient() {
  }

  /**
   * Gives a command and waits until it is carried out.
   *
   * @param directory of the session
   * @param command as {@link Commands} knows it
   * @return what came of it
   * @throws ControlException when nobody listens or answers there, or the command is refused
   */
  public static String ask(Path directory, String command) throws ControlException, InterruptedException {
    return ask(directory, command, PATIENCE_MS);
  }

  static String ask(Path directory, String command, long patienceMs) throws ControlException, InterruptedException {
    Path socket = directory.toAbsolutePath().resolve(ControlServer.SOCKET);
    if (!Files.exists(socket)) {
      throw new ControlException(Files.exists(directory.resolve(SessionWriter.FILE))
          ? "the session in " + directory + " has ended; look at it with: parallax tune --replay " + directory
          : "there is no session in " + directory + "; begin one with: parallax tune -o " + directory + " -- COMMAND");
    }
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      ByteBuffer bytes = ByteBuffer.wrap((command + "\n").getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.configureBlocking(false);
      long beginNs = System.nanoTime();
      String line = SocketLine.read(channel, MOST_ANSWER_BYTES, patienceMs);
      if (line == null && System.nanoTime() - beginNs < patienceMs * 1_000_000) {
        throw new ControlException("the session in " + directory + " has ended before it answered");
      }
      if (line == null) {
        throw new ControlException("the session in " + directory + " did not answer in " + patienceMs / 1000
            + " s; the process that tunes may be stopped or very busy");
      }
      Map<String, Object> answer = Json.read(line);
      if (!Boolean.TRUE.equals(answer.get("ok"))) {
        throw new ControlException(Json.text(answer, "text"));
      }
      return Json.text(answer, "text");
    } catch (JsonException e) {
      throw new ControlException("the session in " + directory + " has sent " + e.getMessage());
    } catch (IOException | IllegalArgumentException e) {
      throw new ControlException("cannot reach the session in " + directory + ": " + e.getMessage()
          + "; the process that tuned may be gone");
    }
  }
}
