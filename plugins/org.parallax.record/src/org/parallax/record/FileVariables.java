package org.parallax.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The variables of Eclipse that a saved launch can have where no Eclipse runs: places in the workspace
 * and variables of the environment. The workspace is the one that the launch is in, or whose project
 * it is in.
 */
public final class FileVariables implements LaunchPlan.Variables {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^:{}$]+)(?::([^{}$]*))?\\}");
  private static final Pattern PROJECT_NAME = Pattern.compile("<name>\\s*([^<]*?)\\s*</name>");

  private final Path file;
  private final Path workspace;

  /**
   * @param file the saved launch
   * @param workspace where projects are; null to look for it
   */
  public FileVariables(Path file, Path workspace) {
    this.file = file.toAbsolutePath().normalize();
    this.workspace = workspace != null ? workspace.toAbsolutePath() : workspaceOf(this.file);
  }

  /** To which paths in the launch refer that are not absolute: the workspace, or its directory. */
  public Path base() {
    Path own = workspaceOf(file);
    return own != null ? own : file.getParent();
  }

  /** The workspace in whose metadata a file is, or null. */
  private static Path workspaceOf(Path file) {
    for (Path at = file; at != null && at.getFileName() != null; at = at.getParent()) {
      if (at.getFileName().toString().equals(".metadata")) {
        return at.getParent();
      }
    }
    return null;
  }

  @Override
  public String replace(String text) throws RecordException {
    Matcher matcher = VARIABLE.matcher(text);
    StringBuilder replaced = new StringBuilder();
    while (matcher.find()) {
      matcher.appendReplacement(replaced,
          Matcher.quoteReplacement(value(matcher.group(1), matcher.group(2))));
    }
    return matcher.appendTail(replaced).toString();
  }

  private String value(String name, String argument) throws RecordException {
    switch (name) {
      case "workspace_loc", "project_loc", "resource_loc", "container_loc":
        if (argument != null && !argument.isBlank()) {
          Path place = place(argument);
          return (name.equals("project_loc") ? project(place) : name.equals("container_loc")
              ? place.getParent() : place).toString();
        }
        if (name.equals("workspace_loc") && workspace != null) {
          return workspace.toString();
        }
        break;
      case "env_var":
        return System.getenv(argument) == null ? "" : System.getenv(argument);
      default:
    }
    throw new RecordException("${" + name + (argument == null ? "" : ":" + argument) + "} in "
        + file.getFileName() + (name.equals("workspace_loc")
            ? " needs a workspace; name it with --workspace DIRECTORY"
            : " is only known in Eclipse; write the path itself"));
  }

  /** A path from the root of the workspace: its first part names a project. */
  private Path place(String path) throws RecordException {
    String inside = path.strip().replaceAll("^/+", "");
    int slash = inside.indexOf('/');
    String project = slash < 0 ? inside : inside.substring(0, slash);
    String rest = slash < 0 ? "" : inside.substring(slash + 1);
    for (Path at = file.getParent(); at != null; at = at.getParent()) {
      if (project.equals(projectName(at))) {
        return at.resolve(rest);
      }
      if (projectName(at) != null && Files.isDirectory(at.resolveSibling(project))) {
        return at.resolveSibling(project).resolve(rest);
      }
    }
    if (workspace != null && Files.isDirectory(workspace.resolve(project))) {
      return workspace.resolve(project).resolve(rest);
    }
    throw new RecordException("the project " + project + ", which " + file.getFileName()
        + " names, was not found " + (workspace == null ? "near that file" : "in " + workspace)
        + "; name the directory that contains it with --workspace DIRECTORY");
  }

  private static Path project(Path place) {
    for (Path at = place; at != null; at = at.getParent()) {
      if (projectName(at) != null) {
        return at;
      }
    }
    return place;
  }

  /** The name of the project that a directory is, or null. */
  private static String projectName(Path directory) {
    try {
      Path description = directory.resolve(".project");
      if (!Files.isRegularFile(description)) {
        return null;
      }
      Matcher matcher = PROJECT_NAME.matcher(Files.readString(description));
      return matcher.find() ? matcher.group(1) : null;
    } catch (IOException e) {
      return null;
    }
  }
}
