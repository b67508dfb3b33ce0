import type { Logger } from 'pino'
import type { NewerRelease } from '#services/event-store/newer-release'
import type { Config } from '#services/settings/config'
import type { OutsideServices } from '#services/health/outside-services'
import type { StartedParts } from './started-parts.ts'
import type { Tracing } from './tracing/tracing.ts'

/** What every step of a start uses. */
export interface StartContext {
  readonly config: Config
  readonly log: Logger
  /** A step adds each part that it starts, so that a failed start stops the parts that run. */
  readonly started: StartedParts
  /** What this process has met of a newer release. */
  readonly newerRelease: NewerRelease
  readonly tracing: Tracing
  /** Which services outside the product answer this process. */
  readonly outside: OutsideServices
  /** Prints a line for the operator. */
  readonly print: (line: string) => void
  /** Aborts the start. */
  readonly signal: AbortSignal | undefined
}
