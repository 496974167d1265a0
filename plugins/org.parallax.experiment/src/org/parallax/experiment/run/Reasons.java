package org.parallax.experiment.run;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Why a file could not be written or read, for people: the exceptions say it in their class only. */
final class Reasons {
  private Reasons() {}

  static String of(IOException e) {
    String file = e instanceof FileSystemException system ? system.getFile() : null;
    if (e instanceof AccessDeniedException) {
      return "you may not write " + file;
    }
    if (e instanceof NoSuchFileException) {
      return "there is no " + file;
    }
    if (e instanceof FileAlreadyExistsException) {
      return file + " is not a directory";
    }
    return String.valueOf(e.getMessage());
  }
}
