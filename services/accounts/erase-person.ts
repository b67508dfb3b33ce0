import type { AddressHmac, UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import type { PersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { Clock } from '#services/foundation/clock'
import type { Queryable } from '#services/foundation/queryable'
import { accountStream } from '#services/foundation/stream-names'
import { deleteCustomerSessions } from '#services/http/sessions/session-tables'
import { accountDecider } from './account-decider.ts'
import { assertErasable } from './assert-erasable.ts'
import { createClaimStreams } from './claim-streams.ts'
import { hmacsOf, type EmailKeys } from './email-keys.ts'
import { keepFarewell } from './farewell.ts'

export interface EraseParts {
  readonly commands: CommandHandler
  readonly keys: PersonalKeys
  readonly pool: Queryable
  readonly clock: Clock
  readonly emailKeys: EmailKeys
  /** Injected, because enquiries import accounts. */
  readonly enquiries: EnquiryErasure
}

/** The enquiries that were sent with an address. */
interface EnquiryErasure {
  /** Reads all of them and changes nothing. @throws UnreadableEvent */
  assertReadable(address: AddressHmac): Promise<void>
  /** Erases all of them. */
  erase(address: AddressHmac, context: CommandContext): Promise<unknown>
}

export type Erased = 'erased' | 'erased-before' | 'no-account'

/**
 * Erases a person from the log. Fields that were encrypted with the person's key then read as
 * '[erased]'. The projections erase the personal fields of the rows when they fold
 * PersonalDataErased. Purchases and payments stay, so totals do not change. A repeated run
 * completes an interrupted one.
 *
 * The primary address is kept for the mail that confirms the erasure, until its outcome, encrypted
 * with a key of its own (`farewell.ts`).
 *
 * Every address that the account ever had is released. The enquiries of the person's own addresses
 * are erased: of the primary address, and of secondary addresses that were verified, removed ones
 * too. The enquiries of an address that belongs to another account by now stay.
 *
 * The first step comes after a check (`assert-erasable.ts`). An erasure that has begun is not
 * checked: it does as much as it can.
 *
 * The order of the steps makes a repeat safe. PersonalDataErased comes first: no sign-in and no
 * personal field follows it. The key is destroyed after all other data: it decrypts the addresses
 * to release. The sessions end last, so that a customer can repeat an interrupted deletion.
 *
 * A sign-in that is in progress may append to the sign-in stream after the erasure. Its personal
 * fields are then stored as '[erased]', and the person gets no new key.
 * @throws NotErasable. Nothing was erased.
 * @throws StartupError if an address was claimed under another EMAIL_HMAC_KEY
 */
export async function erasePerson(
  userId: UserId,
  parts: EraseParts,
  context: CommandContext,
): Promise<Erased> {
  const outcome = await erase(userId, 'erase-personal-data', parts, context)
  if (outcome === 'verified')
    throw new Error('An erasure was refused. This is a bug in the account decider; report it.')
  return outcome
}

/**
 * As `erasePerson`, for an account that was never verified. Enquiries of its address stay: another
 * person may have sent them. 'verified': an address was verified meanwhile, and nothing was erased.
 */
export function eraseIfUnverified(
  userId: UserId,
  parts: EraseParts,
  context: CommandContext,
): Promise<Erased | 'verified'> {
  return erase(userId, 'erase-if-unverified', parts, context)
}

async function erase(
  userId: UserId,
  type: 'erase-personal-data' | 'erase-if-unverified',
  parts: EraseParts,
  context: CommandContext,
): Promise<Erased | 'verified'> {
  const { commands, keys, pool, clock, emailKeys, enquiries } = parts
  const at = clock.now().toISOString()
  const before = await commands.load({ decider: accountDecider, stream: accountStream(userId) })
  if (before.state.kind === 'unopened') return 'no-account'
  // A stranger may have entered the address of an account that was never verified.
  const isPerson = type === 'erase-personal-data'
  if (before.state.kind === 'open') await assertErasable(before.state, isPerson, parts)

  if (isPerson && before.state.kind === 'open') {
    const { email, verifiedEmails } = before.state
    if (email !== erasedValue && verifiedEmails.has(email)) await keepFarewell(parts, userId, email)
  }
  const handled = await commands.handle({
    decider: accountDecider,
    stream: accountStream(userId),
    command: { type, at },
    context,
  })
  if (handled.kind === 'refused') return 'verified'
  const { state } = handled
  // An erased address means that an earlier run destroyed the key, which is the last step.
  const emails = state.kind === 'erased' ? state.emails : []
  const claims = createClaimStreams({ commands, clock, emailKeys })
  const readable = emails.filter((email) => email !== erasedValue)
  const own = new Set(isPerson && state.kind === 'erased' ? state.ownEmails : [])
  for (const email of readable) {
    // Before the release: afterwards another account can claim the address.
    if (own.has(email)) {
      const { ownerId } = await claims.load(email)
      if (ownerId === null || ownerId === userId)
        for (const hmac of hmacsOf(emailKeys, email)) await enquiries.erase(hmac, context)
    }
    await claims.handle(
      email,
      { type: 'release-email', userId, claim: null, at },
      { ...context, commandId: `${context.commandId} release` },
    )
  }
  await pool.query('DELETE FROM app.sign_in_code WHERE user_id = $1', [userId])
  await keys.erase(userId)
  await deleteCustomerSessions(pool, userId)
  return before.state.kind === 'erased' && readable.length === 0 ? 'erased-before' : 'erased'
}
