/** Views of tables that have more to them than rows: of callers, events, phases, pairs and runs. */
package org.parallax.ui.tables;
