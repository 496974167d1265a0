package org.parallax.launch.ui;

import static org.parallax.record.LaunchAttributes.EXTERNALS;
import static org.parallax.record.LaunchAttributes.MONITOR_HZ;

import java.util.LinkedHashMap;
import java.util.Map;
import org.eclipse.debug.core.ILaunchConfiguration;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Text;

/** Monitors of what is outside of the programs, while they run. */
public final class CollectorsTab extends ParallelTab {
  private static final String USUAL_HZ = "10";

  private Button monitor;
  private Text monitorHz;
  private Text externals;

  public CollectorsTab() {
    super(Messages.collectorsTab, "collectors");
  }

  @Override
  void createFields(Form form) {
    Form machine = form.group(Messages.monitorGroup);
    monitor = machine.check(Messages.monitor, Messages.monitorTip);
    monitorHz = machine.text(Messages.monitorHz, Messages.monitorHzTip, false);
    Form others = form.group(Messages.externalsGroup);
    externals = others.area(Messages.externals, Messages.externalsTip, 6, true);
  }

  @Override
  void fill(Map<String, String> attributes) {
    String hz = attributes.getOrDefault(MONITOR_HZ, "");
    monitor.setSelection(!hz.isEmpty());
    set(monitorHz, hz.isEmpty() ? USUAL_HZ : hz);
    monitorHz.setEnabled(monitor.getSelection());
    set(externals, attributes.getOrDefault(EXTERNALS, ""));
  }

  @Override
  void changed() {
    monitorHz.setEnabled(monitor.getSelection());
    super.changed();
  }

  @Override
  Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    values.put(MONITOR_HZ, monitor.getSelection() ? monitorHz.getText().strip() : "");
    values.put(EXTERNALS, externals.getText().strip());
    return values;
  }

  @Override
  public boolean isValid(ILaunchConfiguration configuration) {
    boolean isNumber = monitorHz.getText().strip().matches("\\d{1,4}(\\.\\d+)?");
    setErrorMessage(monitor.getSelection() && !isNumber ? Messages.monitorHzWrong : null);
    return getErrorMessage() == null;
  }
}
