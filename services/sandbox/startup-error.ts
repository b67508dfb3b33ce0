/** Why the sandbox cannot start, in a sentence for whoever started it; printed without a stack. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}
