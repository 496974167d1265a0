package org.parallax.tuning.model;

import java.util.List;
import java.util.Map;
import org.parallax.tuning.formula.Formula;

/**
 * A change of the running program.
 *
 * @param kind what is changed how
 * @param name the routine or variable that the kind acts on
 * @param at the routine or group that is the safe moment, or "any"
 * @param arguments of a call, each a Formula, a number or a text
 * @param fields other fields of the kind: a Formula, a number or a text each
 */
public record Action(Kind kind, String name, String at, List<Object> arguments, Map<String, Object> fields) {
  /** Kinds of actions. */
  public enum Kind {
    CALL("call", false, List.of("arguments")),
    SET_VARIABLE("set_variable", true, List.of("value", "type")),
    ARGUMENT("argument", true, List.of("index", "value", "least", "most", "only")),
    INSERT_CALL("insert_call", true, List.of("arguments", "before", "after")),
    REPLACE("replace", true, List.of("with")),
    MPI_VARIABLE("mpi_variable", true, List.of("value")),
    TUNABLE("tunable", true, List.of("value")),
    COLLECTIVE("collective", true, List.of("method", "from", "to"));

    private final String word;
    private final boolean canUndo;
    private final List<String> fields;

    Kind(String word, boolean canUndo, List<String> fields) {
      this.word = word;
      this.canUndo = canUndo;
      this.fields = fields;
    }

    /** @return as model files and lines to the monitor name it */
    public String word() {
      return word;
    }

    /** @return whether the tuner itself can change it back */
    public boolean canUndo() {
      return canUndo;
    }

    /** @return what else a model file says of it */
    public List<String> fields() {
      return fields;
    }
  }
}
