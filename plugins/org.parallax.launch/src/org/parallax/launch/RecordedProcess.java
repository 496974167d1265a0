package org.parallax.launch;

import java.util.Map;
import org.eclipse.debug.core.ILaunch;
import org.eclipse.debug.core.model.RuntimeProcess;
import org.parallax.record.LaunchRun;
import org.parallax.record.Recording;
import org.parallax.ui.platform.Background;

/**
 * An application of a launch: the recorder, whose output is the application's. Terminating it ends
 * the application's program as a whole; the recorder then completes the trace and ends. No further
 * repetition is started.
 */
class RecordedProcess extends RuntimeProcess {
  private final LaunchRun run;
  private final Recording recording;

  RecordedProcess(ILaunch launch, LaunchRun run, Recording recording, String label,
      Map<String, String> attributes) {
    this(launch, run, recording, recording.process(), label, attributes);
  }

  /** @param process that of the recording, or one that stands for it */
  RecordedProcess(ILaunch launch, LaunchRun run, Recording recording, Process process, String label,
      Map<String, String> attributes) {
    super(launch, process, label, attributes);
    this.run = run;
    this.recording = recording;
  }

  @Override
  public void terminate() {
    if (isTerminated()) {
      return;
    }
    run.startNoMore();
    boolean isSecondTime = recording.isStopped();
    Background.run("end of " + getLabel(), isSecondTime ? recording::kill : recording::stop);
  }
}
