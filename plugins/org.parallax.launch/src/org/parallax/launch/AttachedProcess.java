package org.parallax.launch;

import java.util.Map;
import org.eclipse.debug.core.ILaunch;
import org.eclipse.debug.core.model.IDisconnect;
import org.parallax.record.LaunchRun;
import org.parallax.record.Recording;

/**
 * The recorder of programs that ran before. What it says is in its console. Terminating it is the same as disconnecting
 * it: the programs go on.
 */
final class AttachedProcess extends RecordedProcess implements IDisconnect {
  private static final String PREFIX = "(?m)^parallax: ";

  private static final long POLL_MS = 20;
  private static final long MOST_MS = 5000;

  private final Recording recording;
  private final HeardProcess heard;

  AttachedProcess(ILaunch launch, LaunchRun run, Recording recording, String label,
      Map<String, String> attributes) {
    this(launch, run, recording, new HeardProcess(recording.process()), label, attributes);
  }

  private AttachedProcess(ILaunch launch, LaunchRun run, Recording recording, HeardProcess process, String label,
      Map<String, String> attributes) {
    super(launch, run, recording, process, label, attributes);
    this.recording = recording;
    this.heard = process;
  }

  /** What the recorder has said until its end, as it has said it, in lines without its name. */
  String said() throws InterruptedException {
    // The platform reads the rest of it after the end.
    for (long waitedMs = 0; !isTerminated() && waitedMs < MOST_MS; waitedMs += POLL_MS) {
      Thread.sleep(POLL_MS);
    }
    return heard.heard().replaceAll(PREFIX, "").strip();
  }

  @Override
  public boolean canDisconnect() {
    return canTerminate() && !recording.isStopped();
  }

  @Override
  public void disconnect() {
    terminate();
  }

  @Override
  public boolean isDisconnected() {
    return isTerminated();
  }
}
