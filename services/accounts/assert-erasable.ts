import type { AddressHmac } from '#contracts/ids'
import type { CommandHandler } from '#services/commands/handle-command'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import { UnreadableEvent } from '#services/event-store/errors'
import type { Clock } from '#services/foundation/clock'
import { StartupError } from '#services/foundation/startup-error'
import { everyAddressOf, ownAddressesOf, type OpenAccount } from './account-decider.ts'
import { createClaimStreams } from './claim-streams.ts'
import { hmacsOf, type EmailKeys } from './email-keys.ts'

/** An erasure would read an event that this release cannot read. Nothing was erased. */
export class NotErasable extends StartupError {
  constructor(event: UnreadableEvent) {
    super(`Nothing was erased. ${event.message}`, { cause: event })
  }
}

interface ErasabilityParts {
  readonly commands: CommandHandler
  readonly clock: Clock
  readonly emailKeys: EmailKeys
  readonly enquiries: {
    /** Reads every enquiry of the address. @throws UnreadableEvent */
    assertReadable(address: AddressHmac): Promise<void>
  }
}

/**
 * Reads every claim and every enquiry that the erasure of this account reads. No step of an erasure
 * can be undone, so an event that this release cannot read must stop the erasure before the first
 * step. An event of a newer release can still be appended between this check and a step. The
 * erasure then stops in part, and a repeat by that release completes it.
 * @throws NotErasable
 * @throws StartupError if the primary address was claimed under another EMAIL_HMAC_KEY
 */
export function assertErasable(
  account: OpenAccount,
  /** False: the enquiries of the addresses stay. */
  erasesEnquiries: boolean,
  { commands, clock, emailKeys, enquiries }: ErasabilityParts,
): Promise<void> {
  const claims = createClaimStreams({ commands, clock, emailKeys })
  const own = new Set(erasesEnquiries ? ownAddressesOf(account) : [])
  return beforeErasure(async () => {
    for (const email of everyAddressOf(account)) {
      // Without the key of the person, no claim of this address can be found or released.
      if (email === erasedValue) continue
      const { wasClaimed, ownerId } = await claims.load(email)
      // The primary address of an open account is always claimed.
      if (!wasClaimed && email === account.email) throw otherEmailKey()
      if (own.has(email) && (ownerId === null || ownerId === account.userId))
        for (const hmac of hmacsOf(emailKeys, email)) await enquiries.assertReadable(hmac)
    }
  })
}

/**
 * Runs reads that come before the first step of an erasure.
 * @throws NotErasable instead of UnreadableEvent
 */
export async function beforeErasure<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw error instanceof UnreadableEvent ? new NotErasable(error) : error
  }
}

function otherEmailKey(): StartupError {
  return new StartupError(
    'An address of this account was claimed under another EMAIL_HMAC_KEY. Set the EMAIL_HMAC_KEY of this system and run the command again. Nothing was erased.',
  )
}
