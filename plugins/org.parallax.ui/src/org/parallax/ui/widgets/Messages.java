package org.parallax.ui.widgets;

import org.eclipse.osgi.util.NLS;

/** The texts of lines above results, from {@code messages.properties}. */
final class Messages extends NLS {
  public static String messageAll;
  public static String messageAndMore;
  public static String moreChoices;
  public static String warningsTitle;

  static {
    NLS.initializeMessages("org.parallax.ui.widgets.messages", Messages.class);
  }

  private Messages() {
  }
}
