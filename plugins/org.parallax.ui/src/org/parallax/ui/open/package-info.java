/** Ways to open traces: the command line, files in the workspace, the import wizard, the bundled example. */
package org.parallax.ui.open;
