package org.parallax.launch.ui;

import static org.parallax.record.LaunchAttributes.ADAPTERS;
import static org.parallax.record.LaunchAttributes.ALL_ADAPTERS;
import static org.parallax.record.LaunchAttributes.CLOCK_OFFSETS;
import static org.parallax.record.LaunchAttributes.CONTROL;
import static org.parallax.record.LaunchAttributes.COUNT;
import static org.parallax.record.LaunchAttributes.END_ALL;
import static org.parallax.record.LaunchAttributes.FILTER;
import static org.parallax.record.LaunchAttributes.FLAT;
import static org.parallax.record.LaunchAttributes.FULL;
import static org.parallax.record.LaunchAttributes.KEEP_FREE;
import static org.parallax.record.LaunchAttributes.KEEP_LAST;
import static org.parallax.record.LaunchAttributes.MAX_PROCESS_SIZE;
import static org.parallax.record.LaunchAttributes.MAX_RATE;
import static org.parallax.record.LaunchAttributes.MAX_SIZE;
import static org.parallax.record.LaunchAttributes.OPTIONS;
import static org.parallax.record.LaunchAttributes.SAMPLE_CLOCK;
import static org.parallax.record.LaunchAttributes.SAMPLE_HZ;
import static org.parallax.record.LaunchAttributes.THROTTLE;
import static org.parallax.record.LaunchAttributes.TRANSPORT;
import static org.parallax.record.LaunchAttributes.WHEN_FULL;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.eclipse.debug.core.ILaunchConfiguration;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.FileDialog;
import org.eclipse.swt.widgets.Spinner;
import org.eclipse.swt.widgets.Text;

/** How programs are measured: samples, what is intercepted, functions, the rest of the recorder. */
public final class MeasurementTab extends ParallelTab {
  private static final int USUAL_HZ = 100;
  private static final int MOST_HZ = 10_000;
  private static final List<String> CLOCKS = List.of("cpu", "wall");
  private static final List<String> CONTROLS = List.of("", "running", "paused");

  /** Whether programs run already; their recording can always be paused. */
  private final boolean attaches;
  private final List<String> controls;
  private final Map<String, Button> adapters = new LinkedHashMap<>();
  private Spinner sampleHz;
  private Combo sampleClock;
  private Text count;
  private Text flat;
  private Text full;
  private Text filter;
  private Text throttle;
  private Text keepFree;
  private Text maxSize;
  private Text maxProcessSize;
  private Text maxRate;
  private Text keepLast;
  private Combo control;
  private Text transport;
  private Text whenFull;
  private Button clockOffsets;
  private Button endAll;
  private Text options;

  public MeasurementTab() {
    this(false);
  }

  /** @param attaches whether programs run already: what needs their start cannot be chosen */
  MeasurementTab(boolean attaches) {
    super(Messages.measurementTab, "measurement");
    this.attaches = attaches;
    controls = attaches ? CONTROLS.subList(1, CONTROLS.size()) : CONTROLS;
  }

  @Override
  void createFields(Form form) {
    Form samples = form.group(Messages.samplesGroup);
    sampleHz = samples.spinner(Messages.sampleHz, Messages.sampleHzTip, 0, MOST_HZ);
    sampleClock = samples.combo(Messages.sampleClock, Messages.sampleClockTip, false,
        Messages.clockCpu, Messages.clockWall);
    Form intercepted = form.group(Messages.adaptersGroup);
    createAdapters(intercepted);
    count = intercepted.text(Messages.count, Messages.countTip, false);
    flat = intercepted.text(Messages.flat, Messages.flatTip, false);
    full = intercepted.text(Messages.full, Messages.fullTip, false);
    Form functions = form.group(Messages.functionsGroup);
    filter = functions.text(Messages.filter, Messages.filterTip, true);
    functions.button(Messages.browseFilter, "", this::browseFilter);
    throttle = functions.text(Messages.throttle, Messages.throttleTip, false);
    Form rest = form.group(Messages.restGroup);
    keepFree = rest.text(Messages.keepFree, Messages.keepFreeTip, false);
    maxSize = rest.text(Messages.maxSize, Messages.maxSizeTip, false);
    maxProcessSize = rest.text(Messages.maxProcessSize, Messages.maxProcessSizeTip, false);
    maxRate = rest.text(Messages.maxRate, Messages.maxRateTip, false);
    keepLast = rest.text(Messages.keepLast, Messages.keepLastTip, false);
    control = rest.combo(Messages.control, Messages.controlTip, false,
        attaches ? new String[] {Messages.controlRunning, Messages.controlPaused}
            : new String[] {Messages.controlNone, Messages.controlRunning, Messages.controlPaused});
    transport = rest.text(Messages.transport, Messages.transportTip, false);
    whenFull = rest.text(Messages.whenFull, Messages.whenFullTip, false);
    clockOffsets = rest.check(Messages.clockOffsets, Messages.clockOffsetsTip);
    endAll = rest.check(Messages.endAll, Messages.endAllTip);
    options = rest.text(Messages.options, Messages.optionsTip, false);
    for (Control each : List.of(transport, whenFull, clockOffsets, endAll)) {
      each.setEnabled(!attaches);
      if (attaches) {
        each.setToolTipText(Messages.attachNotTip);
      }
    }
  }

  private void createAdapters(Form form) {
    Composite boxes = new Composite(form.composite(), SWT.NONE);
    GridLayoutFactory.fillDefaults().numColumns(4).spacing(12, 4).applyTo(boxes);
    GridDataFactory.fillDefaults().span(3, 1).applyTo(boxes);
    for (String name : ALL_ADAPTERS) {
      Button box = new Button(boxes, SWT.CHECK);
      box.setText(name);
      box.setToolTipText(NLS.bind(Messages.adapterTip, name));
      box.addListener(SWT.Selection, event -> changed());
      adapters.put(name, box);
    }
  }

  private void browseFilter() {
    FileDialog dialog = new FileDialog(getShell(), SWT.OPEN);
    dialog.setText(Messages.filterTitle);
    String chosen = dialog.open();
    if (chosen != null) {
      filter.setText(chosen);
    }
  }

  /** The adapters that a text of the recorder's option switches on. */
  static Set<String> adapters(String text) {
    String list = text.strip();
    if (list.isEmpty()) {
      return new TreeSet<>(ALL_ADAPTERS);
    }
    Set<String> on = new TreeSet<>(list.startsWith("-") ? ALL_ADAPTERS : List.of());
    for (String word : list.split("[,\\s]+")) {
      if (word.startsWith("-")) {
        on.remove(word.substring(1));
      } else {
        on.add(word);
      }
    }
    return on;
  }

  /** The text that switches these adapters on, empty for all of them. */
  static String text(Set<String> on) {
    List<String> off = new ArrayList<>(ALL_ADAPTERS);
    off.removeAll(on);
    return off.isEmpty() ? "" : off.size() <= on.size()
        ? off.stream().map(name -> "-" + name).collect(Collectors.joining(","))
        : String.join(",", ALL_ADAPTERS.stream().filter(on::contains).toList());
  }

  @Override
  void fill(Map<String, String> attributes) {
    String hz = attributes.getOrDefault(SAMPLE_HZ, "").strip();
    sampleHz.setSelection(hz.matches("\\d{1,5}") ? Integer.parseInt(hz) : USUAL_HZ);
    sampleClock.select(Math.max(0, CLOCKS.indexOf(attributes.getOrDefault(SAMPLE_CLOCK, "cpu"))));
    Set<String> on = adapters(attributes.getOrDefault(ADAPTERS, ""));
    adapters.forEach((name, box) -> box.setSelection(on.contains(name)));
    set(count, attributes.getOrDefault(COUNT, ""));
    set(flat, attributes.getOrDefault(FLAT, ""));
    set(full, attributes.getOrDefault(FULL, ""));
    set(filter, attributes.getOrDefault(FILTER, ""));
    set(throttle, attributes.getOrDefault(THROTTLE, ""));
    set(keepFree, attributes.getOrDefault(KEEP_FREE, ""));
    set(maxSize, attributes.getOrDefault(MAX_SIZE, ""));
    set(maxProcessSize, attributes.getOrDefault(MAX_PROCESS_SIZE, ""));
    set(maxRate, attributes.getOrDefault(MAX_RATE, ""));
    set(keepLast, attributes.getOrDefault(KEEP_LAST, ""));
    control.select(Math.max(0, controls.indexOf(attributes.getOrDefault(CONTROL, ""))));
    set(transport, attributes.getOrDefault(TRANSPORT, ""));
    set(whenFull, attributes.getOrDefault(WHEN_FULL, ""));
    clockOffsets.setSelection(Boolean.parseBoolean(attributes.get(CLOCK_OFFSETS)));
    endAll.setSelection(Boolean.parseBoolean(attributes.get(END_ALL)));
    set(options, attributes.getOrDefault(OPTIONS, ""));
  }

  @Override
  Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    values.put(SAMPLE_HZ, unlessUsual(Integer.toString(sampleHz.getSelection()),
        Integer.toString(USUAL_HZ)));
    values.put(SAMPLE_CLOCK,
        unlessUsual(CLOCKS.get(Math.max(0, sampleClock.getSelectionIndex())), "cpu"));
    Set<String> on = new TreeSet<>();
    adapters.forEach((name, box) -> {
      if (box.getSelection()) {
        on.add(name);
      }
    });
    values.put(ADAPTERS, text(on));
    values.put(COUNT, count.getText().strip());
    values.put(FLAT, flat.getText().strip());
    values.put(FULL, full.getText().strip());
    values.put(FILTER, filter.getText().strip());
    values.put(THROTTLE, throttle.getText().strip());
    values.put(KEEP_FREE, keepFree.getText().strip());
    values.put(MAX_SIZE, maxSize.getText().strip());
    values.put(MAX_PROCESS_SIZE, maxProcessSize.getText().strip());
    values.put(MAX_RATE, maxRate.getText().strip());
    values.put(KEEP_LAST, keepLast.getText().strip());
    values.put(CONTROL, controls.get(Math.max(0, control.getSelectionIndex())));
    values.put(TRANSPORT, transport.getText().strip());
    values.put(WHEN_FULL, whenFull.getText().strip());
    values.put(CLOCK_OFFSETS, clockOffsets.getSelection() ? "true" : "");
    values.put(END_ALL, endAll.getSelection() ? "true" : "");
    values.put(OPTIONS, options.getText().strip());
    return values;
  }

  @Override
  public boolean isValid(ILaunchConfiguration configuration) {
    boolean anyAdapter = adapters.values().stream().anyMatch(Button::getSelection);
    String problem = !anyAdapter ? Messages.noAdapter
        : throttle.getText().strip().matches("|off|\\d+:\\d+") ? null : Messages.throttleWrong;
    setErrorMessage(problem);
    return problem == null;
  }
}
