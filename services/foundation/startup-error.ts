/**
 * The product cannot run the way it is set up, and whoever starts it can mend that. The message is
 * one sentence (two at most) that says what is wrong and what to do; it is printed without a stack.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}
