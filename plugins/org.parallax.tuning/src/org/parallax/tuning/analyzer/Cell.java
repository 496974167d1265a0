package org.parallax.tuning.analyzer;

import java.util.Map;
import org.parallax.tuning.json.Json;

/** What was counted of a measure point under one key. */
final class Cell {
  private double visits;
  private double bytes;
  private double squares;
  private double ns;

  /** Adds what a line of the monitor tells. */
  void add(Map<?, ?> line) {
    visits += Json.number(line, "count", 0);
    bytes += Json.number(line, "bytes", 0);
    squares += Json.number(line, "bytes2", 0);
    ns += Json.number(line, "ns", 0);
  }

  void add(Cell other) {
    visits += other.visits;
    bytes += other.bytes;
    squares += other.squares;
    ns += other.ns;
  }

  double visits() {
    return visits;
  }

  double bytes() {
    return bytes;
  }

  double squares() {
    return squares;
  }

  double ns() {
    return ns;
  }
}
