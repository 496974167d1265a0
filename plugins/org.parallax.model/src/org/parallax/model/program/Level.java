package org.parallax.model.program;

/** The levels of a program tree, from the root down. */
public enum Level {
  /** All applications that were measured together: the root of the physical tree. */
  WORKLOAD,
  /** One application: the root of its logical tree. */
  APPLICATION,
  MACHINE,
  PROCESS,
  THREAD,
  PROCEDURE,
  /** What a monitor measured of an application, machine or process, which it is right below. */
  EXTERNAL
}
