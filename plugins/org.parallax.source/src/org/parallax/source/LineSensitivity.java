package org.parallax.source;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import org.eclipse.core.resources.IMarker;
import org.eclipse.jface.text.BadLocationException;
import org.eclipse.jface.text.IDocument;
import org.eclipse.jface.text.Position;
import org.eclipse.jface.text.source.Annotation;
import org.eclipse.jface.text.source.IAnnotationModel;
import org.eclipse.jface.text.source.IAnnotationModelListener;
import org.eclipse.ui.texteditor.SimpleMarkerAnnotation;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.platform.UiThread;

/**
 * How much more time the program takes by a delay at a line, as the experiment says whose effects are shown: the
 * markers that it has put into a file, wherever they are in the text now. Used on the UI thread.
 */
final class LineSensitivity {
  private final Runnable changed;
  private final IAnnotationModelListener listener = model -> UiThread.later(this::update);
  private IAnnotationModel model;
  private IDocument document;
  private Map<Integer, Double> percents = Map.of();

  /** @param changed is run when lines have other values */
  LineSensitivity(Runnable changed) {
    this.changed = changed;
  }

  /** Looks at another text; null for none. */
  void attach(IAnnotationModel annotations, IDocument text) {
    if (model != null) {
      model.removeAnnotationModelListener(listener);
    }
    model = annotations;
    document = text;
    percents = Map.of();
    if (model != null) {
      model.addAnnotationModelListener(listener);
      update();
    }
  }

  /** A line has the largest of its effects. */
  private void update() {
    Map<Integer, Double> found = new HashMap<>();
    for (Iterator<Annotation> all = model == null ? null : model.getAnnotationIterator();
        all != null && all.hasNext(); ) {
      Annotation each = all.next();
      Position position = model.getPosition(each);
      String percent = each instanceof SimpleMarkerAnnotation annotation
          ? percent(annotation.getMarker()) : "";
      if (!percent.isEmpty() && position != null && !position.isDeleted()) {
        try {
          found.merge(document.getLineOfOffset(position.getOffset()), Double.valueOf(percent),
              (one, two) -> Math.abs(one) >= Math.abs(two) ? one : two);
        } catch (BadLocationException e) {
          // It is being removed.
        }
      }
    }
    if (!found.equals(percents)) {
      percents = found;
      changed.run();
    }
  }

  private static String percent(IMarker marker) {
    return marker.getAttribute(Ids.SENSITIVITY_PERCENT, "");
  }

  boolean isEmpty() {
    return percents.isEmpty();
  }

  /** @return by how many percent a delay at a line, from 0, makes the program slower; empty where that is not known */
  String text(int line) {
    Double percent = percents.get(line);
    if (percent == null) {
      return "";
    }
    String sign = percent < 0 ? "\u2212" : "+";
    return sign + String.format(Locale.ROOT, Math.abs(percent) >= 99.95 ? "%.0f" : "%.1f",
        Math.abs(percent));
  }

  /** The longest text, with 0 for each digit: how wide the column must be. */
  String longest() {
    return percents.keySet().stream().map(this::text).reduce("",
        (one, two) -> one.length() >= two.length() ? one : two).replaceAll("[0-9]", "0");
  }
}
