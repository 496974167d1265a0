package org.parallax.ui.reports;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.OperationCanceledException;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IMenuManager;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.layout.GridData;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Menu;
import org.eclipse.swt.widgets.MenuItem;
import org.eclipse.swt.widgets.Spinner;
import org.eclipse.swt.widgets.Text;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.analysis.catalogue.StandardReport;
import org.parallax.analysis.events.EventsReport;
import org.parallax.analysis.events.EventsReport.Event;
import org.parallax.analysis.events.Partners;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.text.Moment;
import org.parallax.analysis.text.Quantity;
import org.parallax.model.program.Level;
import org.parallax.model.program.Procedure;
import org.parallax.model.program.ProgramThread;
import org.parallax.ui.platform.JobProgress;
import org.parallax.ui.platform.Texts;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.Selection;
import org.parallax.ui.views.ReportView;
import org.parallax.ui.widgets.RunAction;
import org.parallax.ui.widgets.ViewHeader;

/**
 * The trace browser: the events around a moment, page by page. Only what is on a page is read, and
 * what the filters leave out between. A double click on a message goes to its other end, one on the end of
 * another wait to what ended it.
 */
public final class EventsView extends ReportView {
  private static final int COUNT = 100;
  private static final int MOST = 100_000;

  /** Which page is wanted. */
  private sealed interface Page {
    record Around() implements Page {}

    record After(Row row) implements Page {}

    record Before(Row row) implements Page {}
  }

  private final Set<Integer> kinds = new TreeSet<>();
  private Text at;
  private Button kindsButton;
  private Text pattern;
  private Spinner count;
  private Button first;
  private Button previous;
  private Button next;
  private Button last;
  private Page page = new Page.Around();
  /** The moment in nanoseconds; null for the begin of what is selected. */
  private Long momentNs;
  private boolean isAtEnd;
  private boolean movesCursor;
  private Selection pageOf;
  /** The other end of a message that was gone to, and whether it is not on the page. */
  private Event wanted;
  private boolean hidden;
  /** What was wrong with what was asked for. */
  private String told = "";
  private Job search;

  @Override
  protected boolean sharesWhatIsRead() {
    return false;
  }

  @Override
  protected ReportKind kind() {
    return StandardReport.EVENTS;
  }

  @Override
  protected String subject() {
    return Messages.subjectEvents;
  }

  @Override
  protected void createChoices(Composite parent) {
    at = text(ViewHeader.labelled(parent, Messages.eventsAt), 10, Messages.eventsAtTip);
    at.addListener(SWT.DefaultSelection, event -> jump());
    kindsButton = button(parent, Messages.eventsKinds, Messages.eventsKindsTip, this::openKinds);
    pattern = text(ViewHeader.labelled(parent, Messages.eventsText), 14, Messages.eventsTextTip);
    pattern.addListener(SWT.DefaultSelection, event -> around());
    count = new Spinner(ViewHeader.labelled(parent, Messages.eventsCount), SWT.BORDER);
    count.setValues(COUNT, 1, MOST, 0, 10, 100);
    count.addListener(SWT.DefaultSelection, event -> around());
    first = button(parent, Messages.eventsFirst, Messages.eventsFirstTip, () -> jumpTo(null, false));
    previous = button(parent, Messages.eventsPrevious, Messages.eventsPreviousTip,
        () -> turn(new Page.Before(rows().get(0))));
    next = button(parent, Messages.eventsNext, Messages.eventsNextTip,
        () -> turn(new Page.After(rows().get(rows().size() - 1))));
    last = button(parent, Messages.eventsLast, Messages.eventsLastTip, () -> jumpTo(null, true));
  }

  private static Text text(Composite parent, int characters, String tip) {
    Text text = new Text(parent, SWT.BORDER);
    GridData data = new GridData(SWT.FILL, SWT.CENTER, false, false);
    GC gc = new GC(text);
    data.widthHint = (int) (characters * gc.getFontMetrics().getAverageCharacterWidth());
    gc.dispose();
    text.setLayoutData(data);
    text.setToolTipText(tip);
    return text;
  }

  private static Button button(Composite parent, String label, String tip, Runnable action) {
    Button button = new Button(parent, SWT.PUSH);
    button.setText(label);
    button.setToolTipText(tip);
    button.addListener(SWT.Selection, event -> action.run());
    return button;
  }

  @Override
  protected void createContent(Composite parent) {
    super.createContent(parent);
    table().widget().addListener(SWT.Selection, event -> moveCursor());
    table().widget().addListener(SWT.KeyDown, event -> {
      if (event.keyCode == SWT.ESC && event.doit) {
        OpenSession.current().clearTime();
      }
    });
    table().widget().addListener(SWT.KeyDown, event -> {
      if (event.keyCode == SWT.PAGE_DOWN && event.stateMask == SWT.MOD1 && next.isEnabled()) {
        next.notifyListeners(SWT.Selection, new org.eclipse.swt.widgets.Event());
      } else if (event.keyCode == SWT.PAGE_UP && event.stateMask == SWT.MOD1
          && previous.isEnabled()) {
        previous.notifyListeners(SWT.Selection, new org.eclipse.swt.widgets.Event());
      }
    });
  }

  /** All views show the moment of the selected event. */
  private void moveCursor() {
    Event event = selectedEvent();
    if (event != null && !pin().isChecked()) {
      movesCursor = true;
      try {
        OpenSession.current().setCursor(event.timeNs());
      } finally {
        movesCursor = false;
      }
    }
  }

  @Override
  protected void cursorMoved() {
    if (!movesCursor && !pin().isChecked() && cursorNs() != null) {
      showMoment(cursorNs());
    }
  }

  /** The rows of the page in the order of time. */
  private List<Row> rows() {
    return table().table() == null ? List.of() : table().table().rows();
  }

  private void turn(Page to) {
    page = to;
    wanted = null;
    refresh();
  }

  /** Shows what the filters leave around the moment. */
  private void around() {
    turn(new Page.Around());
  }

  private void jump() {
    if (at.getText().isBlank() || analysis() == null) {
      told = "";
      jumpTo(null, false);
      return;
    }
    try {
      long ns = Moment.of(at.getText().strip(), analysis());
      told = "";
      jumpTo(ns, false);
    } catch (Moment.NoMoment e) {
      tell(Texts.sentence(e.getMessage()));
    }
  }

  private void tell(String message) {
    told = message;
    showWarnings();
  }

  private void jumpTo(Long ns, boolean end) {
    momentNs = ns;
    isAtEnd = end;
    around();
  }

  /** Shows the events around a moment of the run. */
  public void showMoment(long ns) {
    at.setText(Quantity.time(ns).replace(" ", ""));
    jumpTo(ns, false);
  }

  private void openKinds() {
    Menu menu = new Menu(kindsButton);
    item(menu, Messages.eventsAllKinds, kinds.isEmpty(), kinds::clear);
    new MenuItem(menu, SWT.SEPARATOR);
    for (Map.Entry<String, Integer> kind : EventsReport.kinds().entrySet()) {
      item(menu, kind.getKey(), kinds.contains(kind.getValue()), () -> {
        if (!kinds.remove(kind.getValue())) {
          kinds.add(kind.getValue());
        }
      });
    }
    var bounds = kindsButton.getBounds();
    menu.setLocation(kindsButton.getParent().toDisplay(bounds.x, bounds.y + bounds.height));
    menu.addListener(SWT.Hide, event -> menu.getDisplay().asyncExec(menu::dispose));
    menu.setVisible(true);
  }

  private void item(Menu menu, String text, boolean checked, Runnable action) {
    MenuItem item = new MenuItem(menu, SWT.CHECK);
    item.setText(text);
    item.setSelection(checked);
    item.addListener(SWT.Selection, event -> {
      action.run();
      setKinds(kinds);
    });
  }

  /** Leaves only events of these kinds, or all of them. */
  void setKinds(Set<Integer> wantedKinds) {
    Set<Integer> chosen = Set.copyOf(wantedKinds);
    kinds.clear();
    kinds.addAll(chosen);
    kindsButton.setText(
        kinds.isEmpty() ? Messages.eventsKinds : NLS.bind(Messages.eventsSomeKinds, kinds.size()));
    kindsButton.requestLayout();
    around();
  }

  @Override
  protected TableMaker maker(Level level) {
    Selection selection = selection();
    if (pageOf != null && !selection.sameScope(pageOf)) {
      // Another part of the program or of the time: from its begin, or around the same moment.
      page = new Page.Around();
      if (!Objects.equals(selection.phase(), pageOf.phase())) {
        momentNs = null;
        isAtEnd = false;
      }
    }
    pageOf = selection;
    Page shown = page;
    Long moment = momentNs;
    boolean end = isAtEnd;
    int most = count.getSelection();
    Set<Integer> ofKinds = Set.copyOf(kinds);
    Pattern text = compiled();
    return (analysis, scope, progress) -> {
      long ns = moment != null ? moment : end ? Long.MAX_VALUE
          : Math.max(Long.MIN_VALUE / 2, analysis.window().beginNs());
      EventsReport.Wanted events = new EventsReport.Wanted(ns, most, ofKinds, text);
      if (shown instanceof Page.After after) {
        return EventsReport.after(analysis, scope, events, after.row(), progress);
      }
      if (shown instanceof Page.Before before) {
        return EventsReport.before(analysis, scope, events, before.row(), progress);
      }
      return EventsReport.of(analysis, scope, events, progress);
    };
  }

  /** What is looked for in the events' lines; null for nothing. */
  private Pattern compiled() {
    String text = pattern.getText();
    try {
      pattern.setToolTipText(Messages.eventsTextTip);
      return text.isEmpty() ? null : Pattern.compile(text);
    } catch (PatternSyntaxException e) {
      // As it stands: a person who looks for "f(" means just that.
      pattern.setToolTipText(NLS.bind(Messages.eventsTextQuotedTip, e.getDescription()));
      return Pattern.compile(Pattern.quote(text));
    }
  }

  @Override
  protected void show(Table result, Selection selection) {
    super.show(result, selection);
    boolean any = !result.rows().isEmpty();
    previous.setEnabled(any);
    next.setEnabled(any);
    Row marked = result.rows().stream().filter(row -> wanted != null ? isWanted(row)
        : page instanceof Page.Around && row.name().equals("0")).findFirst().orElse(null);
    hidden = wanted != null && marked == null;
    if (marked != null) {
      table().select(marked);
    } else if (page instanceof Page.Before && any) {
      table().select(result.rows().get(result.rows().size() - 1));
    }
  }

  @Override
  protected void clear() {
    super.clear();
    if (search != null) {
      search.cancel();
      search = null;
    }
    page = new Page.Around();
    pageOf = null;
    momentNs = null;
    isAtEnd = false;
    wanted = null;
    hidden = false;
    told = "";
  }

  private boolean isWanted(Row row) {
    Event event = (Event) row.subject();
    return event.trace() == wanted.trace() && event.position() == wanted.position();
  }

  @Override
  protected List<String> warnings(Table result) {
    List<String> warnings = new ArrayList<>();
    if (!told.isEmpty()) {
      warnings.add(told);
    }
    if (hidden) {
      warnings.add(NLS.bind(Messages.eventsPartnerHidden, Quantity.time(wanted.timeNs())));
    }
    if (result.rows().isEmpty()) {
      warnings.add(page instanceof Page.After ? Messages.eventsNoneAfter
          : page instanceof Page.Before ? Messages.eventsNoneBefore : Messages.eventsNone);
    }
    return warnings;
  }

  @Override
  protected Image icon(Row row) {
    return null;
  }

  private Event selectedEvent() {
    List<Row> selected = table().selection();
    return selected.size() == 1 && selected.get(0).subject() instanceof Event event ? event : null;
  }

  @Override
  protected Procedure selectedProcedure() {
    Event event = selectedEvent();
    return event == null ? null : event.procedure();
  }

  @Override
  protected List<Object> selectedSubjects() {
    return table().selection().stream().map(row -> (Object) ((Event) row.subject()).thread())
        .filter(ProgramThread.class::isInstance).distinct().toList();
  }

  @Override
  protected void fillMenu(IMenuManager menu) {
    Action partner = new RunAction(Messages.eventsPartner, this::activate);
    partner.setEnabled(selectedEvent() != null && hasPartner(selectedEvent()));
    menu.add(partner);
    super.fillMenu(menu);
  }

  private static boolean hasPartner(Event event) {
    var cursor = event.trace().cursor();
    return cursor.seek(event.position()) && Partners.isPossible(cursor.kind());
  }

  /** Goes to the other end of a message, or to what ended a wait. */
  @Override
  protected void activate() {
    Event event = selectedEvent();
    if (event == null || !hasPartner(event)) {
      tell(event == null ? "" : Messages.eventsNoPartner);
      return;
    }
    if (search != null) {
      search.cancel();
    }
    search = new PartnerJob(analysis(), event);
    search.schedule();
  }

  private void found(Partners.Found partner) {
    if (partner == null) {
      tell(Messages.eventsPartnerUnknown);
      return;
    }
    tell("");
    wanted = new Event(null, partner.thread(), partner.position(), partner.timeNs(), null);
    boolean here = rows().stream().anyMatch(this::isWanted);
    if (here) {
      rows().stream().filter(this::isWanted).findFirst().ifPresent(table()::select);
      return;
    }
    at.setText(Quantity.time(partner.timeNs()).replace(" ", ""));
    momentNs = partner.timeNs();
    isAtEnd = false;
    page = new Page.Around();
    refresh();
  }

  private final class PartnerJob extends Job {
    private final ApplicationAnalysis analysis;
    private final Event event;

    PartnerJob(ApplicationAnalysis analysis, Event event) {
      super(Messages.eventsPartnerJob);
      this.analysis = analysis;
      this.event = event;
    }

    @Override
    protected IStatus run(IProgressMonitor monitor) {
      try {
        Partners.Found partner = Partners.of(analysis.workload().processes(), event.trace(),
            event.position(), new JobProgress(getName(), monitor));
        UiThread.later(() -> {
          if (search == this && !table().widget().isDisposed()) {
            found(partner);
          }
        });
        return Status.OK_STATUS;
      } catch (CancellationException | OperationCanceledException e) {
        return Status.CANCEL_STATUS;
      }
    }

    @Override
    public boolean belongsTo(Object family) {
      return family == OpenSession.current();
    }
  }

  @Override
  public void dispose() {
    if (search != null) {
      search.cancel();
    }
    super.dispose();
  }

  Text atField() {
    return at;
  }

  Text textField() {
    return pattern;
  }

  Spinner countField() {
    return count;
  }

  Button nextButton() {
    return next;
  }

  Button previousButton() {
    return previous;
  }

  Button firstButton() {
    return first;
  }

  Button lastButton() {
    return last;
  }
}
