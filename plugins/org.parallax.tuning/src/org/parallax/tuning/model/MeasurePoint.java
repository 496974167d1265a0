package org.parallax.tuning.model;

import java.util.List;

/**
 * Routines of which visits are counted together.
 *
 * @param name as formulas name it
 * @param routines intercepted routines or groups, as {@code pvm_send} and {@code mpi:*}
 * @param key by what visits are told apart
 */
public record MeasurePoint(String name, List<String> routines, Key key) {
  /** By what visits are told apart. */
  public enum Key {
    NONE, PEER, SIZE
  }
}
