package org.parallax.ui.session;

import org.eclipse.core.runtime.jobs.ISchedulingRule;

/** Lets jobs that change the session run one after another. */
enum SessionRule implements ISchedulingRule {
  INSTANCE;

  @Override
  public boolean contains(ISchedulingRule rule) {
    return rule == this;
  }

  @Override
  public boolean isConflicting(ISchedulingRule rule) {
    return rule == this;
  }
}
