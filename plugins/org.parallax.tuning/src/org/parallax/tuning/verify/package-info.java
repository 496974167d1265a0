/** Whether an action has helped: tests that noise does not pass, and the gain with its interval. */
package org.parallax.tuning.verify;
