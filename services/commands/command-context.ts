import type { Actor, EventMetadata, Source } from '#contracts/events/envelope'

/**
 * The actor and the cause of a command. Stored in the metadata of every event that the command
 * becomes.
 */
export interface CommandContext {
  /**
   * Equal only for repeats of the same command: a client's Idempotency-Key, with its caller and its
   * call.
   */
  readonly commandId: string
  readonly correlationId: string
  /** The id of what caused the command, such as a reactor's event. Default: `commandId`. */
  readonly causationId?: string
  readonly actor: Actor
  readonly source: Source
  readonly provider?: EventMetadata['provider']
}
