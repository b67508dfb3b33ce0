import { StartupError } from '#services/foundation/startup-error'

/**
 * The sandbox cannot use its database. `message` names the remedy for a sandbox that runs alone, a
 * setting of the sandbox. If the product forked the sandbox, the product adds its own remedy to
 * `problem`.
 */
export class DatabaseRefusal extends StartupError {
  readonly problem: string
  readonly reason: 'taken' | 'unreachable'

  constructor(problem: string, reason: 'taken' | 'unreachable', remedy: string) {
    super(`${problem} ${remedy}`)
    this.problem = problem
    this.reason = reason
  }
}
