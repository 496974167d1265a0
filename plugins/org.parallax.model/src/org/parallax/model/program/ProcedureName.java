package org.parallax.model.program;

/**
 * What a procedure is called in any run of its program: other functions of its name are in other files.
 *
 * @param file the name of the source file without its directory, which differs between builds; empty where unknown
 */
public record ProcedureName(String name, String file) {
  public static ProcedureName of(ProcedureInfo info) {
    return of(info.name(), info.file());
  }

  public static ProcedureName of(Procedure procedure) {
    return of(procedure.getName(), procedure.getFile());
  }

  private static ProcedureName of(String name, String path) {
    return new ProcedureName(name, path.substring(path.lastIndexOf('/') + 1));
  }

  /** For messages: with the file, if there is one. */
  @Override
  public String toString() {
    return file.isEmpty() ? name : name + " (" + file + ")";
  }
}
