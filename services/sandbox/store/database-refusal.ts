import { StartupError } from '#services/foundation/startup-error'

/**
 * The sandbox cannot use its database. `message` names the remedy for a sandbox that runs alone, a
 * setting of the sandbox. If the product forked the sandbox, the product adds its own remedy to
 * `fact`.
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
