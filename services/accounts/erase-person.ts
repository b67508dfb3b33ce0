import type pg from 'pg'
import type { UserId } from '#contracts/ids'
import type { CommandContext, CommandHandler } from '#services/commands/handle-command'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import type { PersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { Clock } from '#services/foundation/clock'
import { StartupError } from '#services/foundation/startup-error'
import { accountStream, emailStream } from '#services/foundation/stream-names'
import { accountDecider } from './account-decider.ts'
import { addressHmac } from './address-hmac.ts'
import { emailClaimDecider } from './email-claim-decider.ts'

export interface EraseParts {
  readonly commands: CommandHandler
  readonly keys: PersonalKeys
  readonly pool: Pick<pg.Pool, 'query'>
  readonly clock: Clock
  readonly emailHmacKey: Buffer
}

export type Erased = 'erased' | 'erased-before' | 'no-account'

/**
 * Erases a person from the log: what was encrypted with their key reads as '[erased]' from then on,
 * and the read models scrub their rows when they meet PersonalDataErased. What they bought and paid
 * stays, so sums do not move. May be run again at any time, and finishes what an earlier run did not.
 *
 * The order is what makes that safe. The event comes first: from then on nobody signs in, and nothing
 * personal is added. The key goes last: it is needed to read the address that is to be released.
 * @throws StartupError when EMAIL_HMAC_KEY is another one than the address was claimed under
 */
export async function erasePerson(
  userId: UserId,
  { commands, keys, pool, clock, emailHmacKey }: EraseParts,
  context: CommandContext,
): Promise<Erased> {
  const at = clock.now().toISOString()
  const before = await commands.load({ decider: accountDecider, stream: accountStream(userId) })
  if (before.state.kind === 'unopened') return 'no-account'

  await commands.handle({
    decider: accountDecider,
    stream: accountStream(userId),
    command: { type: 'erase-personal-data', at },
    context,
  })
  const { email } = before.state
  // Unreadable: the key is gone, and with it the last step of an earlier run.
  if (email !== erasedValue) {
    const claim = await commands.handle({
      decider: emailClaimDecider,
      stream: emailStream(addressHmac(email, emailHmacKey)),
      command: { type: 'release-email', userId, at },
      context: { ...context, commandId: `${context.commandId} release` },
    })
    if (claim.revision === null) {
      throw new StartupError(
        'The address of this account was claimed under another EMAIL_HMAC_KEY: set the one of this system, and run it again.',
      )
    }
  }
  await pool.query(`DELETE FROM app.customer_session WHERE sess->>'subject' = $1`, [userId])
  await pool.query('DELETE FROM app.sign_in_code WHERE user_id = $1', [userId])
  await keys.erase(userId)
  return before.state.kind === 'erased' && email === erasedValue ? 'erased-before' : 'erased'
}
