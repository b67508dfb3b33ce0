import type { StoredSeal } from '../audit/check-seals.ts'
import type { Seal } from '../audit/seal.ts'

/** A second place for seals, which the owner of the database cannot change. */
export interface SealPlace {
  /** The place in messages, and in the table app.published_seal: `the directory /mnt/seals`. */
  readonly name: string
  /**
   * Gives the place a seal. A repeat with the same seal succeeds.
   * @throws StartupError if the place does not take the seal, or has another seal of this number
   */
  publish(seal: Seal): Promise<void>
  /**
   * The seals that the place has. Null if the place only takes seals.
   * @throws StartupError if the place cannot be read
   */
  readonly read: (() => Promise<readonly StoredSeal[]>) | null
}
