/**
 * The product or the sandbox cannot run with this configuration, and the operator can correct the
 * configuration. The message has one or two sentences: what is wrong and what to do. It is printed
 * without a stack.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}

/**
 * A command was called with a wrong argument, or cannot write its result. The command did nothing.
 * Its exit code is 2.
 */
export class UsageError extends StartupError {}
