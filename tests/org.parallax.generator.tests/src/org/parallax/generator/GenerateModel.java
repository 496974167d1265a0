package org.parallax.generator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.eclipse.emf.codegen.ecore.generator.Generator;
import org.eclipse.emf.codegen.ecore.generator.GeneratorAdapterFactory;
import org.eclipse.emf.codegen.ecore.genmodel.GenModel;
import org.eclipse.emf.codegen.ecore.genmodel.GenModelPackage;
import org.eclipse.emf.codegen.ecore.genmodel.generator.GenBaseGeneratorAdapter;
import org.eclipse.emf.codegen.ecore.genmodel.generator.GenModelGeneratorAdapterFactory;
import org.eclipse.emf.common.util.BasicMonitor;
import org.eclipse.emf.common.util.Diagnostic;
import org.eclipse.emf.common.util.URI;
import org.eclipse.emf.ecore.plugin.EcorePlugin;
import org.eclipse.emf.ecore.resource.Resource;
import org.eclipse.emf.ecore.resource.impl.ResourceSetImpl;
import org.eclipse.emf.ecore.xmi.impl.EcoreResourceFactoryImpl;
import org.eclipse.emf.ecore.xmi.impl.XMIResourceFactoryImpl;

/** Runs EMF's generator without a workbench: the model's genmodel to the Java code in src-gen. */
public final class GenerateModel {
  private GenerateModel() {}

  /** @param args the folder of the bundle org.parallax.model */
  public static void main(String[] args) throws IOException {
    generate(Path.of(args[0]).toRealPath());
  }

  /**
   * Replaces the folder src-gen.
   *
   * @param bundle a folder with model/parallax.ecore and model/parallax.genmodel, absolute
   */
  static void generate(Path bundle) throws IOException {
    Path output = bundle.resolve("src-gen");
    deleteTree(output);
    Files.createDirectories(output);

    EcorePlugin.getPlatformResourceMap().put("org.parallax.model", directoryUri(bundle));
    GenModelPackage.eINSTANCE.eClass();
    Resource.Factory.Registry.INSTANCE.getExtensionToFactoryMap()
        .put("ecore", new EcoreResourceFactoryImpl());
    Resource.Factory.Registry.INSTANCE.getExtensionToFactoryMap()
        .put("genmodel", new XMIResourceFactoryImpl());
    GeneratorAdapterFactory.Descriptor.Registry.INSTANCE
        .addDescriptor(GenModelPackage.eNS_URI, GenModelGeneratorAdapterFactory.DESCRIPTOR);

    Resource resource = new ResourceSetImpl().getResource(
        URI.createPlatformResourceURI("/org.parallax.model/model/parallax.genmodel", true), true);
    GenModel genModel = (GenModel) resource.getContents().get(0);
    genModel.reconcile();
    genModel.setCanGenerate(true);
    genModel.setValidateModel(true);

    Generator generator = new Generator();
    generator.setInput(genModel);
    Diagnostic result = generator.generate(genModel,
        GenBaseGeneratorAdapter.MODEL_PROJECT_TYPE, new BasicMonitor());
    if (result.getSeverity() >= Diagnostic.ERROR) {
      throw new IOException(result.getMessage() + ": " + result.getChildren());
    }
    stripTrailingSpace(output);
  }

  private static URI directoryUri(Path directory) {
    return URI.createFileURI(directory + "/");
  }

  private static void deleteTree(Path root) throws IOException {
    if (!Files.exists(root)) {
      return;
    }
    List<Path> all;
    try (var paths = Files.walk(root)) {
      all = paths.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : all) {
      Files.delete(path);
    }
  }

  /** The templates leave spaces at the ends of lines, which version control complains about. */
  private static void stripTrailingSpace(Path root) throws IOException {
    List<Path> files;
    try (var paths = Files.walk(root)) {
      files = paths.filter(path -> path.toString().endsWith(".java")).toList();
    }
    for (Path file : files) {
      String text = Files.readString(file);
      Files.write(file, text.replaceAll("[ \\t]+(?=\\r?\\n)", "").getBytes(StandardCharsets.UTF_8));
    }
  }
}
