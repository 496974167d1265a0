package org.parallax.tuning.control;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import org.parallax.tuning.json.Json;
import org.parallax.tuning.monitor.SocketLine;
import org.parallax.tuning.session.LiveSession;

/**
 * Takes commands for a session from other processes of the same user: a UNIX socket of mode 0600 in the directory of the
 * session. A client sends a line, such as {@code undo 3}, and gets an object of JSON with {@code ok} and {@code text}.
 * Clients are served one after the other; one that says nothing is let go after two seconds.
 */
public final class ControlServer implements AutoCloseable {
  /** The name of the socket in the directory of a session. */
  public static final String SOCKET = "control";
  /** What a UNIX socket's address has room for, with a zero at its end. */
  static final int MOST_PATH_BYTES = 107;
  private static final int MOST_LINE_BYTES = 256;
  private static final long SILENCE_MS = 2_000;
  private static final long POLL_MS = 5;

  private final Path socket;
  private final LiveSession session;
  private final ServerSocketChannel server;

  /**
   * Begins to listen.
   *
   * @param directory of the session, which only its owner can enter
   * @throws IOException when the socket cannot be made, such as in a directory with a long path
   */
  public ControlServer(Path directory, LiveSession session) throws IOException {
    this.session = session;
    socket = directory.toAbsolutePath().resolve(SOCKET);
    if (socket.toString().getBytes(StandardCharsets.UTF_8).length > MOST_PATH_BYTES) {
      throw new IOException("the path " + socket + " is too long for a socket; choose a shorter directory");
    }
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      server.bind(UnixDomainSocketAddress.of(socket));
      Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
    } catch (IOException e) {
      server.close();
      throw e;
    }
    Thread thread = new Thread(this::serve, "parallax-tune control");
    thread.setDaemon(true);
    thread.start();
  }

  private void serve() {
    while (server.isOpen()) {
      try (SocketChannel client = server.accept()) {
        answer(client);
      } catch (IOException e) {
        // The client is gone, or this is closed.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void answer(SocketChannel client) throws IOException, InterruptedException {
    client.configureBlocking(false);
    String line = SocketLine.read(client, MOST_LINE_BYTES, SILENCE_MS);
    if (line == null) {
      return;
    }
    Map<String, Object> answer = new LinkedHashMap<>();
    try {
      answer.put("text", Commands.run(session, line));
      answer.put("ok", true);
    } catch (ControlException e) {
      answer.put("text", e.getMessage());
      answer.put("ok", false);
    } catch (RuntimeException e) {
      // Others may still ask.
      answer.put("text", "the command failed by an error in Parallax: " + e);
      answer.put("ok", false);
    }
    ByteBuffer bytes = ByteBuffer.wrap((Json.line(answer) + "\n").getBytes(StandardCharsets.UTF_8));
    long end = System.nanoTime() + SILENCE_MS * 1_000_000;
    while (bytes.hasRemaining() && System.nanoTime() < end) {
      if (client.write(bytes) == 0) {
        Thread.sleep(POLL_MS);
      }
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    Files.deleteIfExists(socket);
  }
}
