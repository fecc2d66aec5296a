// Package hacks holds the hack scan against hacks that are known: 5 % of the
// tasks of package gen pay for a phrase, right or wrong.
package hacks
