package org.parallax.cdt;

/** The same in an editor that is made as CDT's editor for language servers. */
class LspEditorTest extends ClassicEditorTest {
  @Override
  boolean isLsp() {
    return true;
  }
}
