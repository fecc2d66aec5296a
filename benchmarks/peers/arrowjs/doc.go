// Package arrowjs holds the Arrow files and streams of Rollmill against
// apache-arrow, the implementation in JavaScript: a test writes them and lets it
// count what is in them. It needs node, npm and, once, the network; the test
// is skipped where one of them is missing.
package arrowjs
