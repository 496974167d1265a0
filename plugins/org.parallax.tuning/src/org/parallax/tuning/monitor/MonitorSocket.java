package org.parallax.tuning.monitor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.parallax.tuning.json.Json;
import org.parallax.tuning.json.JsonException;

/**
 * Where a native monitor connects: a UNIX socket in a directory that only its owner can enter. The monitor says a secret
 * first. Whoever starts the monitor puts {@link #words} before the program to tune.
 */
public final class MonitorSocket implements AutoCloseable {
  private static final String SECRET = "PARALLAX_TUNE_SECRET";
  private static final int SECRET_BYTES = 16;
  private static final long CONNECT_MS = 30_000;
  private static final int MOST_HELLO_BYTES = 4096;
  private static final long HELLO_MS = 2_000;
  private static final long POLL_MS = 5;

  private final Path directory;
  private final Path socket;
  private final ServerSocketChannel server;
  private final String secret;

  private MonitorSocket(Path directory) throws IOException {
    this.directory = directory;
    socket = directory.resolve("socket");
    byte[] random = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(random);
    secret = HexFormat.of().formatHex(random);
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    server.configureBlocking(false);
  }

  /**
   * Begins to listen.
   *
   * @throws MonitorException when the folder of temporary files has no room for a socket
   */
  public static MonitorSocket open() throws MonitorException {
    try {
      return new MonitorSocket(Files.createTempDirectory("parallax-tune-",
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))));
    } catch (IOException e) {
      throw new MonitorException("cannot make a socket for the monitor: " + e.getMessage()
          + "; the folder of temporary files must be writable, and have a short path");
    }
  }

  /**
   * @param program the native monitor
   * @param options more options for it
   * @return the words that come before those of the program to tune
   */
  public List<String> words(Path program, List<String> options) {
    List<String> words = new ArrayList<>(List.of(program.toString(), "--connect", socket.toString()));
    words.addAll(options);
    words.add("--");
    return words;
  }

  /** @return variables that the monitor needs, and takes away from the program */
  public Map<String, String> environment() {
    return Map.of(SECRET, secret);
  }

  /**
   * Waits for the monitor. A connection without the secret is not the monitor's, and is closed.
   *
   * @param process of the monitor; ended if it does not connect
   * @throws MonitorException when it ends before, or does not connect
   */
  public ProcessMonitor connect(Process process) throws MonitorException {
    try {
      long end = System.nanoTime() + CONNECT_MS * 1_000_000;
      while (System.nanoTime() < end) {
        SocketChannel made = server.accept();
        if (made == null) {
          if (!process.isAlive()) {
            throw new MonitorException(
                "the monitor has ended with status " + process.exitValue() + " before it connected");
          }
          pause();
          continue;
        }
        made.configureBlocking(false);
        String hello = hello(made);
        if (hello != null && isOf(hello)) {
          server.close();
          made.configureBlocking(true);
          return new ProcessMonitor(process, this, made, hello, new BufferedReader(
              new InputStreamReader(Channels.newInputStream(made), StandardCharsets.UTF_8)));
        }
        made.close();
      }
      throw new MonitorException("the monitor did not connect in " + CONNECT_MS / 1000 + " s");
    } catch (IOException | MonitorException e) {
      process.destroy();
      close();
      throw e instanceof MonitorException told ? told
          : new MonitorException("the monitor cannot be heard: " + e.getMessage());
    }
  }

  /** @return what comes first, or null when nothing does; somebody else may have connected, and say nothing */
  private static String hello(SocketChannel made) throws MonitorException {
    try {
      return SocketLine.read(made, MOST_HELLO_BYTES, HELLO_MS);
    } catch (InterruptedException e) {
      throw interrupted();
    } catch (IOException e) {
      return null;
    }
  }

  private static MonitorException interrupted() {
    Thread.currentThread().interrupt();
    return new MonitorException("interrupted while the monitor started");
  }

  private static void pause() throws MonitorException {
    try {
      Thread.sleep(POLL_MS);
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  private boolean isOf(String hello) {
    try {
      Map<String, Object> line = Json.read(hello);
      return Json.text(line, "type").equals("hello") && Json.text(line, "secret").equals(secret);
    } catch (JsonException e) {
      return false;
    }
  }

  /** Listens no more, and removes the socket; a connection that was made stays. */
  @Override
  public void close() {
    try {
      server.close();
      Files.deleteIfExists(socket);
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      // A directory without a secret stays in the folder of temporary files.
    }
  }
}
