/** Why the sandbox cannot start, in a sentence for whoever started it; printed without a stack. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}

/**
 * The database refuses the sandbox. The remedy depends on who started the sandbox: alone, it is a setting of the sandbox, which
 * `message` names; forked by the product, it is a setting of the product, which the product names beside `fact`.
 */
export class DatabaseRefusal extends StartupError {
  readonly fact: string
  readonly reason: 'taken' | 'unreachable'

  constructor(fact: string, reason: 'taken' | 'unreachable', remedy: string) {
    super(`${fact} ${remedy}`)
    this.fact = fact
    this.reason = reason
  }
}
