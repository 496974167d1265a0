package org.parallax.launch;

import java.util.Map;
import org.eclipse.debug.core.ILaunch;
import org.eclipse.debug.core.IStreamListener;
import org.eclipse.debug.core.model.IDisconnect;
import org.eclipse.debug.core.model.IStreamMonitor;
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
  private final StringBuffer errors = new StringBuffer();

  AttachedProcess(ILaunch launch, LaunchRun run, Recording recording, String label,
      Map<String, String> attributes) {
    super(launch, run, recording, label, attributes);
    this.recording = recording;
    IStreamMonitor monitor = getStreamsProxy().getErrorStreamMonitor();
    IStreamListener listener = (text, from) -> errors.append(text);
    monitor.addListener(listener);
    if (errors.length() == 0) {
      errors.append(monitor.getContents());
    }
  }

  /** What the recorder has said until its end, as it has said it, in lines without its name. */
  String said() throws InterruptedException {
    // The platform reads the rest of it after the end.
    for (long waitedMs = 0; !isTerminated() && waitedMs < MOST_MS; waitedMs += POLL_MS) {
      Thread.sleep(POLL_MS);
    }
    return errors.toString().replaceAll(PREFIX, "").strip();
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
