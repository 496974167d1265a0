package org.parallax.tuning.monitor;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A native monitor's part of the protocol, without a program: it says what it was told, and ends with status 7. */
public final class SimulatedMonitor {
  private SimulatedMonitor() {
  }

  public static void main(String[] arguments) throws Exception {
    String socket = arguments[List.of(arguments).indexOf("--connect") + 1];
    String secret = arguments[0].equals("--wrong") ? "wrong" : System.getenv("PARALLAX_TUNE_SECRET");
    if (arguments[0].equals("--dies")) {
      System.exit(3);
    }
    // Open until this process ends.
    SocketChannel silent = arguments[0].equals("--second") ? SocketChannel.open(UnixDomainSocketAddress.of(socket)) : null;
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      say(channel, "{\"type\":\"hello\",\"version\":1,\"secret\":\"" + secret + "\"}");
      if (arguments[0].equals("--wrong")) {
        return;
      }
      say(channel, "{\"type\":\"process\",\"event\":\"started\",\"host\":\"h\",\"pid\":1,\"library\":\"pvm 3.4.6\",\"time\":1}");
      say(channel, "no JSON");
      if (arguments[0].equals("--vanishes")) {
        return;
      }
      BufferedReader reader = new BufferedReader(
          new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8));
      StringBuilder heard = new StringBuilder();
      for (String line = reader.readLine(); !line.contains("points"); line = reader.readLine()) {
        heard.append(line.replace('"', '\''));
      }
      say(channel, "{\"type\":\"problem\",\"host\":\"h\",\"text\":\"heard " + heard + "\"}");
      say(channel, "{\"type\":\"end\",\"status\":7,\"time\":2}");
    }
    System.exit(silent == null || silent.isOpen() ? 7 : 8);
  }

  private static void say(SocketChannel channel, String line) throws Exception {
    ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }
}
