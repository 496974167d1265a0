/** The command that writes flame graphs, collapsed stacks and files of Chrome's trace viewer. */
package org.parallax.cli.export;
