package org.parallax.ui.widgets;

import org.eclipse.swt.graphics.Image;
import org.parallax.model.program.Application;
import org.parallax.model.program.ExternalData;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.Machine;
import org.parallax.model.program.Procedure;
import org.parallax.model.program.ProgramProcess;
import org.parallax.model.program.ProgramThread;
import org.parallax.ui.platform.Icons;

/** The icons of the model's objects. */
public final class NodeImages {
  private NodeImages() {
  }

  /** @return null for an object that has none; on the UI thread only */
  public static Image of(Object object) {
    String name = name(object);
    return name == null ? null : Icons.image(name);
  }

  private static String name(Object object) {
    if (object instanceof Procedure procedure) {
      return switch (procedure.getKind()) {
        case USER, AGENT -> "procedure";
        case MPI, PVM -> "procedure_mpi";
        case PTHREAD, OPENMP, PROCESS, STREAM, FILE -> "procedure_pthread";
        case UNRESOLVED -> "procedure_unresolved";
      };
    }
    return object instanceof ProgramThread ? "thread"
        : object instanceof ProgramProcess ? "process"
        : object instanceof Machine ? "machine"
        : object instanceof ExternalData ? "external"
        : object instanceof Application ? "application"
        : object instanceof LoadedSession ? "workload" : null;
  }
}
