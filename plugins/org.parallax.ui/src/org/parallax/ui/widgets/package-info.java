/** Parts of views that know nothing of tables: the line of choices, messages, going back and forward, icons. */
package org.parallax.ui.widgets;
