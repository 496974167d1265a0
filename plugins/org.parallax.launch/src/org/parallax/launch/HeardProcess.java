package org.parallax.launch;

import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;

/**
 * A process that keeps what is read of its errors. The console of a process takes what has arrived out of the platform's
 * buffer at a time that nobody knows, so that a listener misses the words of a process that ends at once.
 */
final class HeardProcess extends Process {
  private final Process process;
  private final ByteArrayOutputStream heard = new ByteArrayOutputStream();
  private final InputStream errors;

  HeardProcess(Process process) {
    this.process = process;
    this.errors = new FilterInputStream(process.getErrorStream()) {
      @Override
      public int read() throws IOException {
        int got = super.read();
        if (got >= 0) {
          heard.write(got);
        }
        return got;
      }

      @Override
      public int read(byte[] bytes, int from, int size) throws IOException {
        int got = super.read(bytes, from, size);
        if (got > 0) {
          heard.write(bytes, from, got);
        }
        return got;
      }
    };
  }

  /** What has been read of its errors by now. */
  String heard() {
    return heard.toString(Charset.defaultCharset());
  }

  @Override
  public OutputStream getOutputStream() {
    return process.getOutputStream();
  }

  @Override
  public InputStream getInputStream() {
    return process.getInputStream();
  }

  @Override
  public InputStream getErrorStream() {
    return errors;
  }

  @Override
  public int waitFor() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public int exitValue() {
    return process.exitValue();
  }

  @Override
  public void destroy() {
    process.destroy();
  }

  @Override
  public ProcessHandle toHandle() {
    return process.toHandle();
  }
}
