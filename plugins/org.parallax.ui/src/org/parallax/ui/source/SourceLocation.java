package org.parallax.ui.source;

import org.parallax.model.Procedure;
import org.parallax.model.ProcedureInfo;

/**
 * Where a procedure is declared, as far as it is known.
 *
 * @param file as the compiler recorded it, empty where unknown
 * @param line from 1, 0 where unknown
 * @param module the program or library that holds it, empty for intercepted routines
 * @param reason why it was not resolved, empty otherwise
 */
public record SourceLocation(String procedure, String file, int line, String module,
    String reason) {

  public static SourceLocation of(Procedure procedure) {
    return new SourceLocation(procedure.getName(), procedure.getFile(), procedure.getLine(),
        procedure.getModule(), procedure.getReason());
  }

  public static SourceLocation of(ProcedureInfo info) {
    return new SourceLocation(info.name(), info.file(), info.line(), info.module(), info.reason());
  }
}
