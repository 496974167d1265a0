/**
 * The widget that shows the table of a report, with its columns, sorting, filter, menus and export.
 * {@link org.parallax.ui.table.ResultTable} is the entry.
 */
package org.parallax.ui.table;
