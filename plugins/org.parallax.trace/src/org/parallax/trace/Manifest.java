package org.parallax.trace;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The properties of a run, from the trace's {@code manifest}. */
public final class Manifest {
  /** The file's name in the trace directory. */
  public static final String FILE_NAME = "manifest";
  /** The version of the trace format that this reader knows. */
  public static final int VERSION = 1;

  private static final String VERSION_KEY = "parallax-trace";
  private static final int MAX_BYTES = 1 << 24;

  private final Map<String, String> values;

  private Manifest(Map<String, String> values) {
    this.values = Collections.unmodifiableMap(values);
  }

  /** A manifest without any property, of a trace that has lost its own. */
  static Manifest empty() {
    return new Manifest(new LinkedHashMap<>());
  }

  /** Reads {@code file}; a file that is not a manifest gives a manifest without a version. */
  static Manifest read(Path file) throws IOException {
    byte[] bytes;
    try (var in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MAX_BYTES);
    }
    Map<String, String> values = new LinkedHashMap<>();
    for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n")) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        values.putIfAbsent(line.substring(0, equals).strip(), line.substring(equals + 1).strip());
      }
    }
    return new Manifest(values);
  }

  /** The value as written, or an empty string. */
  public String get(String key) {
    return values.getOrDefault(key, "");
  }

  /** All properties in the order of the file. */
  public Map<String, String> values() {
    return values;
  }

  /** The version of the trace's format, 0 when the manifest does not tell it. */
  public int version() {
    return (int) Math.max(0, Math.min(Integer.MAX_VALUE, number(VERSION_KEY)));
  }

  /** 128 random bits in hex that identify the run. */
  public String run() {
    return get("run");
  }

  /** When the run began, ISO 8601. */
  public String created() {
    return get("created");
  }

  /** When the run ended, ISO 8601; empty while it is live or when its recorder was killed. */
  public String ended() {
    return get("ended");
  }

  /** Whether the trace is a profile, which has no events. */
  public boolean isProfile() {
    return get("content").equals("profile");
  }

  /** Whether the run has ended in order. */
  public boolean hasEnded() {
    return !ended().isEmpty();
  }

  /** The host on which the run was recorded. */
  public String host() {
    return get("host");
  }

  /** The working directory of the run. */
  public String directory() {
    return get("directory");
  }

  /** The command, quoted for a shell. */
  public String command() {
    return get("command");
  }

  /** The version of the agent. */
  public String agent() {
    return get("agent");
  }

  /** How events got to the disk, such as {@code mapped}; empty when unknown. */
  public String transport() {
    return get("transport");
  }

  /** The limits of the recording as the recorder's options name them, such as {@code max-rate 5M}; empty for none. */
  public String limits() {
    return List.of("max-size", "max-process-size", "max-rate", "keep-last").stream().filter(key -> !get(key).isEmpty())
        .map(key -> key + " " + get(key)).collect(Collectors.joining(", "));
  }

  /** How much of the end of the run is kept, as a person gave it, such as {@code 5m} or {@code 30 s}; empty for all. */
  public String keepLast() {
    String time = get("keep-last");
    return time.isEmpty() || Character.isLetter(time.charAt(time.length() - 1)) ? time : time + " s";
  }

  /** If recording could be paused, how it began: {@code running} or {@code paused}; else empty. */
  public String control() {
    return get("control");
  }

  /** Samples a second that were asked for, -1 when unknown. */
  public long sampleHz() {
    return number("sample-hz");
  }

  /** Ticks a second of the recording host's clock, -1 when unknown. */
  public long tickHz() {
    return number("tick-hz");
  }

  /** Wall time of the run, -1 when unknown. */
  public long elapsedNs() {
    return number("elapsed-ns");
  }

  /** The definitions files when the run ended, -1 when unknown. */
  public long processes() {
    return number("processes");
  }

  /** The event files when the run ended, -1 when unknown. */
  public long eventFiles() {
    return number("event-files");
  }

  /** The program's exit status as a shell gives it, -1 when unknown. */
  public int exitStatus() {
    return (int) number("exit-status");
  }

  /**
   * To a multiple of which readers round the CPU clock of each thread down, to show what a clock as
   * coarse as that would have told; 0 for the clock as it was recorded.
   */
  public long cpuTickNs() {
    return Math.max(0, number("cpu-tick-ns"));
  }

  private long number(String key) {
    try {
      return Long.parseLong(get(key));
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
