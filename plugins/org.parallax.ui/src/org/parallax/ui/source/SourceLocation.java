package org.parallax.ui.source;

import org.parallax.model.program.Procedure;

/**
 * Where a procedure is declared, as far as it is known.
 *
 * @param file as the compiler recorded it, empty where unknown
 * @param line from 1, 0 where unknown
 * @param module the program or library that holds it, empty for intercepted routines
 * @param reason why it was not resolved, empty otherwise
 * @param runMs when it ran, since 1970; 0 where unknown
 */
public record SourceLocation(String procedure, String file, int line, String module,
    String reason, long runMs) {
  private static final long NS_PER_MS = 1_000_000;

  public static SourceLocation of(Procedure procedure) {
    return new SourceLocation(procedure.getName(), procedure.getFile(), procedure.getLine(),
        procedure.getModule(), procedure.getReason(),
        procedure.getApplication().getTrace().epochNs() / NS_PER_MS);
  }
}
