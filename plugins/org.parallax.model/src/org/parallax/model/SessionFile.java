package org.parallax.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.eclipse.emf.common.util.URI;
import org.eclipse.emf.ecore.EObject;
import org.eclipse.emf.ecore.resource.Resource;
import org.eclipse.emf.ecore.resource.impl.ResourceSetImpl;
import org.eclipse.emf.ecore.util.EcoreUtil;
import org.eclipse.emf.ecore.xmi.XMLResource;
import org.eclipse.emf.ecore.xmi.impl.XMIResourceFactoryImpl;
import org.parallax.trace.TraceException;

/**
 * Sessions as files: which runs are looked at together, in which mode, and with which commands the
 * active ones are run again. An XMI document with a line for each run, made for version control: paths
 * are relative to the file.
 */
public final class SessionFile {
  /** What the names of session files end with. */
  public static final String SUFFIX = ".parallax";

  /** No document can name others. */
  private static final Map<String, Object> LOAD = Map.of(XMLResource.OPTION_PARSER_FEATURES,
      Map.of("http://apache.org/xml/features/disallow-doctype-decl", Boolean.TRUE));
  private static final Map<String, Object> SAVE = Map.of(XMLResource.OPTION_ENCODING, "UTF-8",
      XMLResource.OPTION_LINE_WIDTH, 1, XMLResource.OPTION_KEEP_DEFAULT_CONTENT, Boolean.TRUE);

  private SessionFile() {}

  /** @return true if this is the name of a session file, whether there is one or not */
  public static boolean isNamed(Path file) {
    return file.getFileName() != null && file.getFileName().toString().endsWith(SUFFIX);
  }

  private static Resource resource(Path file) {
    ResourceSetImpl resources = new ResourceSetImpl();
    resources.getPackageRegistry().put(ModelPackage.eNS_URI, ModelPackage.eINSTANCE);
    resources.getResourceFactoryRegistry().getExtensionToFactoryMap()
        .put(Resource.Factory.Registry.DEFAULT_EXTENSION, new XMIResourceFactoryImpl());
    return resources.createResource(URI.createFileURI(file.toAbsolutePath().toString()));
  }

  /**
   * Reads the runs of a session; no trace is opened.
   *
   * @throws TraceException when there is no such file, or no session in it, and where it is wrong
   */
  public static Session read(Path file) throws TraceException {
    if (!Files.exists(file)) {
      throw new TraceException("there is no session file " + file,
          "Make one: parallax session " + file + " --replay TRACE");
    }
    Resource resource = resource(file);
    try {
      resource.load(LOAD);
    } catch (IOException | RuntimeException e) {
      throw new TraceException(describe(file, resource), "Correct it, or make it anew: parallax "
          + "session FILE --replay TRACE", e);
    }
    List<EObject> contents = resource.getContents();
    if (contents.size() != 1 || !(contents.get(0) instanceof Session session)) {
      throw new TraceException(file + " is no session of Parallax",
          "Make one: parallax session FILE --replay TRACE");
    }
    resource.getContents().clear();
    for (Run run : session.getRuns()) {
      boolean lacksCommand = run.getMode() == RunMode.ACTIVE && run.getCommand() == null;
      if (run.getName() == null || run.getTrace() == null || lacksCommand) {
        throw new TraceException("in the session file " + file + " the run "
            + (run.getName() == null ? "without a name" : run.getName()) + " has no "
            + (run.getName() == null ? "name" : run.getTrace() == null ? "trace" : "command"),
            "Add it, as an attribute of the run");
      }
    }
    return session;
  }

  private static String describe(Path file, Resource resource) {
    StringBuilder text = new StringBuilder("the session file " + file + " cannot be read");
    for (Resource.Diagnostic error : resource.getErrors()) {
      text.append("; line ").append(error.getLine()).append(": ")
          .append(error.getMessage().replaceAll("\\s*\\(.*\\)$", ""));
    }
    return text.toString();
  }

  /** Writes the runs of a session, as a whole or not at all. */
  public static void write(Session session, Path file) throws IOException {
    Session copy = EcoreUtil.copy(session);
    Path beside = Path.of(file.toAbsolutePath() + ".new");
    Resource resource = resource(beside);
    resource.getContents().add(copy);
    resource.save(SAVE);
    Files.move(beside, file.toAbsolutePath(), StandardCopyOption.REPLACE_EXISTING);
  }

  /** @return the trace directory of a run of a session that was read from a file */
  public static Path trace(Path file, Run run) {
    Path trace = file.resolveSibling(run.getTrace()).normalize();
    return trace.toString().isEmpty() ? Path.of(".") : trace;
  }

  /** @return the directory to which the paths of a session file are relative */
  public static Path directory(Path file) {
    return file.toAbsolutePath().normalize().getParent();
  }

  /** @return how a session file names a directory: relative to its own */
  public static String named(Path file, Path trace) {
    return directory(file).relativize(trace.toAbsolutePath().normalize()).toString();
  }
}
