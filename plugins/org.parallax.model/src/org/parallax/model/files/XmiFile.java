package org.parallax.model.files;

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
import org.parallax.model.ModelPackage;
import org.parallax.trace.TraceException;

/** Objects of the model as XMI documents with an attribute a line, made for version control. */
final class XmiFile {
  /** No document can name others. */
  private static final Map<String, Object> LOAD = Map.of(XMLResource.OPTION_PARSER_FEATURES,
      Map.of("http://apache.org/xml/features/disallow-doctype-decl", Boolean.TRUE));
  private static final Map<String, Object> SAVE = Map.of(XMLResource.OPTION_ENCODING, "UTF-8",
      XMLResource.OPTION_LINE_WIDTH, 1, XMLResource.OPTION_KEEP_DEFAULT_CONTENT, Boolean.TRUE);

  private XmiFile() {}

  private static Resource resource(Path file) {
    ResourceSetImpl resources = new ResourceSetImpl();
    resources.getPackageRegistry().put(ModelPackage.eNS_URI, ModelPackage.eINSTANCE);
    resources.getResourceFactoryRegistry().getExtensionToFactoryMap()
        .put(Resource.Factory.Registry.DEFAULT_EXTENSION, new XMIResourceFactoryImpl());
    return resources.createResource(URI.createFileURI(file.toAbsolutePath().toString()));
  }

  /**
   * Reads the only object of a document.
   *
   * @param what the object in words, for messages
   * @param make the command that makes such a file
   * @throws TraceException when it cannot be read, with the lines that are wrong, or holds something
   *     else
   */
  static <T extends EObject> T read(Path file, Class<T> type, String what, String make)
      throws TraceException {
    Resource resource = resource(file);
    try {
      resource.load(LOAD);
    } catch (IOException | RuntimeException e) {
      throw new TraceException(describe(file, what, resource),
          "Correct the file, or create a new one: " + make, e);
    }
    List<EObject> contents = resource.getContents();
    if (contents.size() != 1 || !type.isInstance(contents.get(0))) {
      throw new TraceException(file + " is not a Parallax " + what + " file", "Create one: "
          + make);
    }
    T object = type.cast(contents.get(0));
    contents.clear();
    return object;
  }

  private static String describe(Path file, String what, Resource resource) {
    StringBuilder text = new StringBuilder("the " + what + " file " + file + " cannot be read");
    for (Resource.Diagnostic error : resource.getErrors()) {
      text.append("; line ").append(error.getLine()).append(": ")
          .append(error.getMessage().replaceAll("\\s*\\(.*\\)$", ""));
    }
    return text.toString();
  }

  /** Writes a copy of an object, as a whole or not at all. */
  static void write(EObject object, Path file) throws IOException {
    Path beside = Path.of(file.toAbsolutePath() + ".new");
    Resource resource = resource(beside);
    resource.getContents().add(EcoreUtil.copy(object));
    resource.save(SAVE);
    Files.move(beside, file.toAbsolutePath(), StandardCopyOption.REPLACE_EXISTING);
  }
}
