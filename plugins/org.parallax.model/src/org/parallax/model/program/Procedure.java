package org.parallax.model.program;

/** A procedure on the call paths of an application. Immutable. */
public final class Procedure {
  private final Application application;
  private final int id;
  private final ProcedureInfo info;

  Procedure(Application application, int id, ProcedureInfo info) {
    this.application = application;
    this.id = id;
    this.info = info;
  }

  Procedure(Application application, Procedure other) {
    this(application, other.id, other.info);
  }

  public Application getApplication() {
    return application;
  }

  /** @return the id in {@link Procedures} of the trace */
  public int getId() {
    return id;
  }

  public String getName() {
    return info.name();
  }

  /** @return the source file as the compiler recorded it, empty where unknown */
  public String getFile() {
    return info.file();
  }

  /** @return the line where it is declared, 0 where unknown */
  public int getLine() {
    return info.line();
  }

  /** @return the path of the program or library that holds it, empty for intercepted routines */
  public String getModule() {
    return info.module();
  }

  public ProcedureKind getKind() {
    return info.kind();
  }

  /** @return why it could not be resolved, empty otherwise */
  public String getReason() {
    return info.reason();
  }
}
