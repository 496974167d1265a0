package org.parallax.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.emf.common.util.URI;
import org.eclipse.emf.ecore.EAttribute;
import org.eclipse.emf.ecore.EClass;
import org.eclipse.emf.ecore.EClassifier;
import org.eclipse.emf.ecore.EDataType;
import org.eclipse.emf.ecore.EEnum;
import org.eclipse.emf.ecore.EPackage;
import org.eclipse.emf.ecore.EReference;
import org.eclipse.emf.ecore.EStructuralFeature;
import org.eclipse.emf.ecore.resource.Resource;
import org.eclipse.emf.ecore.resource.impl.ResourceSetImpl;
import org.eclipse.emf.ecore.xmi.impl.EcoreResourceFactoryImpl;
import org.junit.jupiter.api.Test;

/** The checked-in code is what the model says: a change of the model needs a new generation. */
class GeneratedModelTest {
  @Test
  void generatedCodeHasTheClassesAndFeaturesOfTheModel() {
    var resources = new ResourceSetImpl();
    resources.getResourceFactoryRegistry().getExtensionToFactoryMap()
        .put("ecore", new EcoreResourceFactoryImpl());
    Path file = Path.of(System.getProperty("parallax.root"),
        "plugins/org.parallax.model/model/parallax.ecore");
    Resource resource = resources.getResource(URI.createFileURI(file.toString()), true);
    List<String> model = describe((EPackage) resource.getContents().get(0));
    assertFalse(model.isEmpty());
    assertEquals(String.join("\n", model),
        String.join("\n", describe(ModelPackage.eINSTANCE)));
  }

  private static List<String> describe(EPackage container) {
    List<String> lines = new ArrayList<>();
    lines.add(container.getName() + " " + container.getNsURI() + " " + container.getNsPrefix());
    for (EClassifier classifier : container.getEClassifiers()) {
      if (classifier instanceof EClass type) {
        lines.add("class " + type.getName() + " " + type.isAbstract() + type.getESuperTypes());
        type.getEStructuralFeatures().forEach(feature -> lines.add(describe(feature)));
      } else if (classifier instanceof EEnum type) {
        lines.add("enum " + type.getName());
        type.getELiterals().forEach(literal ->
            lines.add("  " + literal.getName() + " = " + literal.getValue()));
      } else {
        EDataType type = (EDataType) classifier;
        lines.add("type " + type.getName() + " " + type.getInstanceClassName() + " "
            + type.isSerializable());
      }
    }
    return lines;
  }

  private static String describe(EStructuralFeature feature) {
    String kind = feature instanceof EReference reference
        ? (reference.isContainment() ? "contains" : "refers to") + " opposite "
            + (reference.getEOpposite() == null ? "-" : reference.getEOpposite().getName())
        : "attribute " + ((EAttribute) feature).isID();
    return "  " + feature.getName() + ": " + feature.getEType().getName() + "["
        + feature.getLowerBound() + ".." + feature.getUpperBound() + "] " + kind
        + " transient " + feature.isTransient() + " default " + feature.getDefaultValueLiteral();
  }
}
