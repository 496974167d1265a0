package org.parallax.tuning.monitor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.parallax.tuning.json.Json;
import org.parallax.tuning.json.JsonException;

/**
 * The native monitor, {@code parallax-tune}, which starts the program. It connects to a UNIX socket in a directory that
 * only its owner can enter, and says a secret first. The program has the standard input and output of this process.
 */
public final class ProcessMonitor implements Monitor {
  /** The system property that names the native program, for builds under development and for scripts. */
  public static final String PROPERTY = "parallax.tune";
  private static final String SECRET = "PARALLAX_TUNE_SECRET";
  private static final long CONNECT_MS = 30_000;
  /** Lines that wait to be read; a program of a thousand processes sends as many in an interval. */
  private static final int MOST_LINES = 100_000;
  private static final int SECRET_BYTES = 16;
  private static final String END = "";

  private final Process process;
  private final Path directory;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>(MOST_LINES);
  private SocketChannel channel;
  private volatile boolean isEnded;

  private ProcessMonitor(Process process, Path directory) {
    this.process = process;
    this.directory = directory;
  }

  /**
   * Starts the monitor with a program.
   *
   * @param program the native monitor
   * @param options more options for it
   * @param command the program to tune and its arguments
   * @throws MonitorException when it does not start or does not connect
   */
  public static ProcessMonitor start(Path program, List<String> options, List<String> command) throws MonitorException {
    Path directory = null;
    Process process = null;
    try {
      directory = Files.createTempDirectory("parallax-tune-",
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      Path socket = directory.resolve("socket");
      byte[] random = new byte[SECRET_BYTES];
      new SecureRandom().nextBytes(random);
      String secret = HexFormat.of().formatHex(random);
      try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        server.bind(UnixDomainSocketAddress.of(socket));
        server.configureBlocking(false);
        List<String> words = new ArrayList<>(List.of(program.toString(), "--connect", socket.toString()));
        words.addAll(options);
        words.add("--");
        words.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(words).inheritIO();
        builder.environment().put(SECRET, secret);
        process = builder.start();
        ProcessMonitor monitor = new ProcessMonitor(process, directory);
        monitor.connect(server, secret);
        return monitor;
      }
    } catch (IOException e) {
      if (process != null) {
        process.destroy();
      }
      remove(directory);
      throw new MonitorException("cannot start the monitor " + program + ": " + e.getMessage()
          + "; build it with: ./parallax setup");
    } catch (MonitorException e) {
      remove(directory);
      throw e;
    }
  }

  /** A connection without the secret is not the monitor's, and is closed. */
  private void connect(ServerSocketChannel server, String secret) throws IOException, MonitorException {
    long end = System.nanoTime() + CONNECT_MS * 1_000_000;
    while (System.nanoTime() < end) {
      SocketChannel made = server.accept();
      if (made == null) {
        if (!process.isAlive()) {
          throw new MonitorException("the monitor has ended with status " + process.exitValue() + " before it connected");
        }
        pause();
        continue;
      }
      made.configureBlocking(true);
      BufferedReader reader = new BufferedReader(
          new InputStreamReader(Channels.newInputStream(made), StandardCharsets.UTF_8));
      String hello = reader.readLine();
      if (hello != null && isOf(hello, secret)) {
        channel = made;
        lines.add(hello);
        Thread thread = new Thread(() -> read(reader), "parallax-tune lines");
        thread.setDaemon(true);
        thread.start();
        return;
      }
      made.close();
    }
    process.destroy();
    throw new MonitorException("the monitor did not connect in " + CONNECT_MS / 1000 + " s");
  }

  private static void pause() throws MonitorException {
    try {
      Thread.sleep(5);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MonitorException("interrupted while the monitor started");
    }
  }

  private static boolean isOf(String hello, String secret) {
    try {
      Map<String, Object> line = Json.read(hello);
      return Json.text(line, "type").equals("hello") && Json.text(line, "secret").equals(secret);
    } catch (JsonException e) {
      return false;
    }
  }

  private void read(BufferedReader reader) {
    try (reader) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.put(line);
      }
    } catch (IOException e) {
      // The monitor is gone; what it sent is in the queue.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      isEnded = true;
      lines.offer(END);
    }
  }

  @Override
  public synchronized void send(Map<String, Object> line) {
    ByteBuffer bytes = ByteBuffer.wrap((Json.line(line) + "\n").getBytes(StandardCharsets.UTF_8));
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (ClosedChannelException e) {
      isEnded = true;
    } catch (IOException e) {
      // A broken pipe: the reader sees the end, too.
      isEnded = true;
    }
  }

  @Override
  public String receive(long milliseconds) throws InterruptedException {
    String line = lines.poll(milliseconds, TimeUnit.MILLISECONDS);
    return line == null || line.equals(END) ? null : line;
  }

  @Override
  public boolean isEnded() {
    return isEnded && lines.isEmpty();
  }

  /** Waits for the end of the monitor, which ends after the program: its exit status. */
  public int waitFor() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // Nothing is lost: there is nothing to be sent.
    }
    remove(directory);
  }

  private static void remove(Path directory) {
    if (directory != null) {
      try {
        Files.deleteIfExists(directory.resolve("socket"));
        Files.deleteIfExists(directory);
      } catch (IOException e) {
        // A directory without a secret stays in the folder of temporary files.
      }
    }
  }
}
