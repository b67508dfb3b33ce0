/** The reason why the sandbox cannot start, as a sentence for the operator; printed without a stack. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}

/**
 * The sandbox cannot use its database. `message` names the remedy for a sandbox that runs alone, a
 * setting of the sandbox. If the product forked the sandbox, the product adds its own remedy to `fact`.
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
