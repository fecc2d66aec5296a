// Package sandbox runs a command that nobody trusts, such as the code that a
// model wrote, and says how it ended: with which exit code, or at which limit.
//
//	func main() {
//		sandbox.Main() // first: this binary is its own helper process
//		box, err := sandbox.New(sandbox.Full, sandbox.DefaultLimits())
//		...
//		result, err := box.Run(ctx, sandbox.Command{Path: "/usr/bin/python3", Args: []string{"-I", "main.py"},
//			Files: []sandbox.File{{Name: "main.py", Data: code}}})
//	}
//
// What the levels stop, and what they do not:
//
//   - Full (Linux 5.12 and later, where user namespaces are allowed) puts the
//     command into namespaces of its own. It sees a read-only view of the
//     system's programs and libraries and of what Command.Readable names, a
//     working folder in memory that vanishes with it, and no process but its
//     own. It has no network and cannot open a socket, no capability, cannot
//     gain one, and runs as nobody when the caller is root. When the command or
//     the caller ends, the kernel kills whatever it started. A kernel with a
//     hole in what an unprivileged process may call is not mended by this, time
//     and caches can still be measured, and memory is limited a process
//     (Limits.Processes times Limits.Memory in all).
//   - Weak (any Unix) limits time, memory, processes, file size and output,
//     gives a folder of its own and kills the process group. The command can
//     still read and write whatever the caller can, use the network, and leave
//     a process behind that moved to another group. When the caller is killed,
//     the command goes on and its folder stays. It is for code that is wrong,
//     not for code that is hostile; Limits.Processes counts all that the user
//     runs, and binds nobody who is root.
//
// A program that does not call Main cannot use the package: New says so.
package sandbox
