package org.parallax.ui.open;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import org.eclipse.core.runtime.QualifiedName;
import org.eclipse.core.runtime.content.IContentDescription;
import org.eclipse.core.runtime.content.ITextContentDescriber;
import org.parallax.record.formats.TraceEventFormat;

/** Tells traces of the Trace Event Format from other JSON files, by their first bytes. */
public final class TraceEventDescriber implements ITextContentDescriber {
  /** The workbench asks for many files: less than a page of them is read. */
  private static final int FIRST_BYTES = 8192;

  @Override
  public int describe(InputStream contents, IContentDescription description) throws IOException {
    return validity(new String(contents.readNBytes(FIRST_BYTES), StandardCharsets.UTF_8));
  }

  @Override
  public int describe(Reader contents, IContentDescription description) throws IOException {
    char[] begin = new char[FIRST_BYTES];
    int length = 0;
    for (int more = 0; more >= 0 && length < begin.length; length += Math.max(0, more)) {
      more = contents.read(begin, length, begin.length - length);
    }
    return validity(new String(begin, 0, length));
  }

  private static int validity(String begin) {
    return TraceEventFormat.hasEvents(begin) ? VALID : INVALID;
  }

  @Override
  public QualifiedName[] getSupportedOptions() {
    return new QualifiedName[0];
  }
}
