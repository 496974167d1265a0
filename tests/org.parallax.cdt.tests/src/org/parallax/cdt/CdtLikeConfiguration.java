package org.parallax.cdt;

import java.text.Collator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.eclipse.cdt.ui.text.c.hover.ICEditorTextHover;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IConfigurationElement;
import org.eclipse.core.runtime.Platform;
import org.eclipse.jface.preference.IPreferenceStore;
import org.eclipse.jface.text.IInformationControlCreator;
import org.eclipse.jface.text.IRegion;
import org.eclipse.jface.text.ITextHover;
import org.eclipse.jface.text.ITextHoverExtension;
import org.eclipse.jface.text.ITextViewer;
import org.eclipse.jface.text.Region;
import org.eclipse.jface.text.source.Annotation;
import org.eclipse.jface.text.source.DefaultAnnotationHover;
import org.eclipse.jface.text.source.IAnnotationHover;
import org.eclipse.jface.text.source.ISourceViewer;
import org.eclipse.ui.IEditorPart;
import org.eclipse.ui.editors.text.TextSourceViewerConfiguration;

/**
 * Configures a viewer as CDT's classic editor does: text hovers come from CDT's extension point only, of
 * which the first that has an answer is shown, in the order of their labels.
 */
final class CdtLikeConfiguration extends TextSourceViewerConfiguration {
  private static final String HOVERS = "org.eclipse.cdt.ui.textHovers";
  private final IEditorPart editor;

  CdtLikeConfiguration(IPreferenceStore store, IEditorPart editor) {
    super(store);
    this.editor = editor;
  }

  @Override
  public int[] getConfiguredTextHoverStateMasks(ISourceViewer viewer, String contentType) {
    return new int[] {0};
  }

  @Override
  public ITextHover getTextHover(ISourceViewer viewer, String contentType, int stateMask) {
    return stateMask == 0 ? new Combined() : null;
  }

  @Override
  public ITextHover getTextHover(ISourceViewer viewer, String contentType) {
    return new Combined();
  }

  @Override
  public IAnnotationHover getAnnotationHover(ISourceViewer viewer) {
    return new DefaultAnnotationHover() {
      @Override
      protected boolean isIncluded(Annotation annotation) {
        return isShowInVerticalRuler(annotation);
      }
    };
  }

  /** Asks all hovers, on the thread that the viewer has for them. */
  private final class Combined implements ITextHover, ITextHoverExtension {
    private List<ICEditorTextHover> hovers;
    private ITextHover best;

    private List<ICEditorTextHover> hovers() {
      if (hovers == null) {
        hovers = new ArrayList<>();
        IConfigurationElement[] elements =
            Platform.getExtensionRegistry().getConfigurationElementsFor(HOVERS);
        Arrays.sort(elements, Comparator.comparing(each -> each.getAttribute("label"),
            Collator.getInstance()));
        for (IConfigurationElement each : elements) {
          try {
            ICEditorTextHover made = (ICEditorTextHover) each.createExecutableExtension("class");
            made.setEditor(editor);
            hovers.add(made);
          } catch (CoreException e) {
            throw new IllegalStateException(e);
          }
        }
      }
      return hovers;
    }

    @Override
    public IRegion getHoverRegion(ITextViewer viewer, int offset) {
      return new Region(offset, 1);
    }

    @Override
    public String getHoverInfo(ITextViewer viewer, IRegion region) {
      best = null;
      for (ICEditorTextHover each : hovers()) {
        String text = each.getHoverInfo(viewer, region);
        if (text != null && !text.isBlank()) {
          best = each;
          return text;
        }
      }
      return null;
    }

    @Override
    public IInformationControlCreator getHoverControlCreator() {
      return best instanceof ITextHoverExtension extension ? extension.getHoverControlCreator()
          : null;
    }
  }
}
