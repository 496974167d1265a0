package org.parallax.ui.views;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.parallax.model.program.Application;
import org.parallax.ui.session.Selection;
import org.parallax.ui.session.SessionState;
import org.parallax.ui.widgets.ViewHeader;

/** Lets a person choose another run that is open, to compare with. */
public final class RunChoice {
  private final Combo combo;
  private List<Application> applications = List.of();

  /** @param changed told when another run is chosen */
  public RunChoice(Composite parent, Runnable changed) {
    combo = new Combo(ViewHeader.labelled(parent, Messages.compareWith), SWT.READ_ONLY);
    combo.setItems(Messages.compareNone);
    combo.select(0);
    combo.setToolTipText(Messages.compareTip);
    combo.addListener(SWT.Selection, event -> changed.run());
  }

  /** Offers what is open beside the selection. */
  public void update(SessionState state, Selection selection) {
    Application shown = selection.scope().application().orElse(null);
    List<Application> others = new ArrayList<>(state.session().getApplications());
    others.remove(shown);
    if (!others.equals(applications)) {
      Application chosen = chosen();
      applications = List.copyOf(others);
      List<String> names = new ArrayList<>(List.of(Messages.compareNone));
      others.forEach(each -> names.add(name(each)));
      combo.setItems(names.toArray(String[]::new));
      combo.select(chosen == null ? 0 : 1 + applications.indexOf(chosen));
      combo.requestLayout();
    }
    combo.setEnabled(!applications.isEmpty());
  }

  /** Offers nothing: what was open is closed. */
  public void clear() {
    applications = List.of();
    combo.setItems(Messages.compareNone);
    combo.select(0);
  }

  /** The other run's application, null for none. */
  public Application chosen() {
    int index = combo.getSelectionIndex() - 1;
    return index < 0 || index >= applications.size() ? null : applications.get(index);
  }

  /** An application by its trace. */
  public static String name(Application application) {
    Path directory = application.getTrace().directory().getFileName();
    // Where several runs of a program are open, their names have it.
    if (application.getName().endsWith("@" + directory)) {
      return application.getName();
    }
    return NLS.bind(Messages.runName, application.getName(), directory);
  }

  /** The widget. */
  public Combo combo() {
    return combo;
  }
}
