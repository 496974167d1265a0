package org.parallax.tuning.monitor;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.parallax.tuning.json.Json;

/**
 * The native monitor, {@code parallax-tune}, which starts the program and has connected to a {@link MonitorSocket}.
 */
public final class ProcessMonitor implements Monitor {
  /** The system property that names the native program, for builds under development and for scripts. */
  public static final String PROPERTY = "parallax.tune";
  /** Lines that wait to be read; a program of a thousand processes sends as many in an interval. */
  private static final int MOST_LINES = 100_000;
  private static final String END = "";

  private final Process process;
  private final MonitorSocket socket;
  private final SocketChannel channel;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>(MOST_LINES);
  private volatile boolean isEnded;

  /**
   * @param process of the monitor, or one that stands for it
   * @param socket the connection's, closed with this
   * @param hello its first line
   * @param reader of the lines after it
   */
  ProcessMonitor(Process process, MonitorSocket socket, SocketChannel channel, String hello, BufferedReader reader) {
    this.process = process;
    this.socket = socket;
    this.channel = channel;
    lines.add(hello);
    Thread thread = new Thread(() -> read(reader), "parallax-tune lines");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Starts the monitor with a program, which has the standard input and output of this process.
   *
   * @param program the native monitor
   * @param options more options for it
   * @param command the program to tune and its arguments
   * @throws MonitorException when it does not start or does not connect
   */
  public static ProcessMonitor start(Path program, List<String> options, List<String> command) throws MonitorException {
    MonitorSocket socket = MonitorSocket.open();
    List<String> words = new ArrayList<>(socket.words(program, options));
    words.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(words).inheritIO();
    builder.environment().putAll(socket.environment());
    try {
      return socket.connect(builder.start());
    } catch (IOException e) {
      socket.close();
      throw new MonitorException("cannot start the monitor " + program + ": " + e.getMessage()
          + "; build it with: ./parallax setup");
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
    } catch (IOException e) {
      // The connection is closed or broken: the reader sees the end, too.
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
    socket.close();
  }
}
