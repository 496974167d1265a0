/** The pages of the documentation as help of the IDE, also where its help system is not installed. */
package org.parallax.help;
