import type pg from 'pg'
import type { Logger } from 'pino'
import type { Clock } from '#services/foundation/clock'

export interface SessionSettings {
  readonly pool: pg.Pool
  /** The first signs the cookies. Each verifies them: a change of the secret ends no session. */
  readonly secrets: readonly string[]
  /** Whether PUBLIC_URL is https. Cookies are then Secure. */
  readonly isHttps: boolean
  /**
   * The port of PUBLIC_URL, a part of the cookie's name over http: cookies ignore ports, and two
   * local runs must not share cookies. The processes of one product do share them.
   */
  readonly port: number
  /** The security clock. */
  readonly clock: Clock
  readonly comparePositions: (a: string, b: string) => number
  /**
   * A digest of the administrators' password. A session of an administrator who signed in with
   * another password has ended.
   */
  readonly passwordMark: string
  readonly log: Pick<Logger, 'warn'>
}
