package org.parallax.trace;

import java.nio.file.Path;

/** Is told of damage that a reader meets. The same damage can be told more than once. */
interface DamageSink {
  /** Stands for the block in a file that has none, or the byte where it is not known. */
  long NONE = -1;

  /**
   * Something in a file cannot be used.
   *
   * @param fact what was found and what was expected
   * @param loss what is lost thereby
   */
  void damage(Path file, long block, long byteOffset, String fact, String loss);
}
