/** The views of reports, most of them by a {@link org.parallax.ui.table.ResultTable}. */
package org.parallax.ui.reports;
