package org.parallax.ui.views;

import org.parallax.model.program.Level;

/** The levels' names for people. */
public final class LevelNames {
  private LevelNames() {
  }

  /** @return as it stands in choices and headings */
  public static String of(Level level) {
    return switch (level) {
      case WORKLOAD -> Messages.levelWorkload;
      case APPLICATION -> Messages.levelApplication;
      case MACHINE -> Messages.levelMachine;
      case PROCESS -> Messages.levelProcess;
      case THREAD -> Messages.levelThread;
      case PROCEDURE -> Messages.levelProcedure;
      case EXTERNAL -> Messages.levelExternal;
    };
  }
}
