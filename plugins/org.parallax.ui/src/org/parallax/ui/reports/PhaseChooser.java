package org.parallax.ui.reports;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.accessibility.AccessibleAdapter;
import org.eclipse.swt.accessibility.AccessibleEvent;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Menu;
import org.eclipse.swt.widgets.MenuItem;
import org.eclipse.swt.widgets.ToolBar;
import org.eclipse.swt.widgets.ToolItem;
import org.eclipse.ui.PartInitException;
import org.eclipse.ui.menus.WorkbenchWindowControlContribution;
import org.parallax.analysis.Phase;
import org.parallax.ui.platform.Icons;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.platform.UiLog;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.SessionState;

/** The part of the time that all views show, in the tool bar of the perspective. */
public final class PhaseChooser extends WorkbenchWindowControlContribution
    implements OpenSession.Listener {
  private static final int CHARACTERS = 22;

  private final MpiPhases mpi = new MpiPhases();
  private ToolBar bar;
  private ToolItem item;

  @Override
  protected Control createControl(Composite parent) {
    bar = new ToolBar(parent, SWT.FLAT | SWT.RIGHT);
    item = new ToolItem(bar, SWT.DROP_DOWN);
    item.setImage(Icons.image("phases"));
    item.addListener(SWT.Selection, event -> open());
    bar.getAccessible().addAccessibleListener(new AccessibleAdapter() {
      @Override
      public void getName(AccessibleEvent event) {
        event.result = Messages.phaseChooser;
      }
    });
    OpenSession.current().addListener(this);
    bar.addListener(SWT.Dispose, event -> OpenSession.current().removeListener(this));
    show(OpenSession.current().state());
    mpi.find(OpenSession.current().state());
    return bar;
  }

  @Override
  public void stateChanged(SessionState before, SessionState now) {
    mpi.find(now);
    if (now.isOpen() != before.isOpen()
        || !Objects.equals(now.selection().phase(), before.selection().phase())) {
      show(now);
    }
  }

  private void show(SessionState now) {
    Phase selected = now.selection().phase();
    String name = selected == null ? Messages.phaseAll : selected.name();
    String text = name.length() <= CHARACTERS ? name : name.substring(0, CHARACTERS - 1) + "\u2026";
    boolean other = !text.equals(item.getText());
    item.setText(text.replace("&", "&&"));
    item.setToolTipText(NLS.bind(Messages.phaseChooserTip, name));
    item.setEnabled(now.isOpen());
    if (other) {
      bar.requestLayout();
    }
  }

  /** The menu of what can be chosen. */
  Menu menu() {
    SessionState now = OpenSession.current().state();
    Phase selected = now.selection().phase();
    List<Phase> offered = new ArrayList<>();
    mpi.of(now).filter(phase -> now.phases().stream().noneMatch(each -> each.name().equals(phase.name())))
        .ifPresent(offered::add);
    offered.addAll(now.phases());
    if (selected != null && !offered.contains(selected)) {
      offered.add(selected);
    }
    Menu menu = new Menu(bar);
    add(menu, Messages.phaseAll, selected == null, null);
    if (!offered.isEmpty()) {
      new MenuItem(menu, SWT.SEPARATOR);
    }
    offered.forEach(phase -> add(menu, phase.name(), phase.equals(selected), phase));
    new MenuItem(menu, SWT.SEPARATOR);
    MenuItem more = new MenuItem(menu, SWT.PUSH);
    more.setText(Messages.phaseMore);
    more.addListener(SWT.Selection, event -> {
      try {
        getWorkbenchWindow().getActivePage().showView(Ids.PHASES_VIEW);
      } catch (PartInitException e) {
        UiLog.log(e.getMessage(), e);
      }
    });
    return menu;
  }

  private static void add(Menu menu, String name, boolean selected, Phase phase) {
    MenuItem item = new MenuItem(menu, SWT.RADIO);
    item.setText(name.replace("&", "&&"));
    item.setSelection(selected);
    item.addListener(SWT.Selection, event -> {
      if (item.getSelection()) {
        OpenSession.current().setPhase(phase);
      }
    });
  }

  private void open() {
    Menu menu = menu();
    Rectangle bounds = item.getBounds();
    menu.setLocation(bar.toDisplay(bounds.x, bounds.y + bounds.height));
    menu.addListener(SWT.Hide, event -> menu.getDisplay().asyncExec(menu::dispose));
    menu.setVisible(true);
  }
}
