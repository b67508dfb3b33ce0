/**
 * The product or the sandbox cannot run with this configuration, and the operator can correct the
 * configuration. The message has one or two sentences: what is wrong and what to do. It is printed
 * without a stack.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}
