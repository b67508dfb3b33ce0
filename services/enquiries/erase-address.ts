import type { UserId } from '#contracts/ids'
import { beforeErasure } from '#services/accounts/assert-erasable'
import { accountDecider } from '#services/accounts/account-decider'
import { createClaimStreams } from '#services/accounts/claim-streams'
import { hmacsOf, type EmailKeys } from '#services/accounts/email-keys'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import { accountStream } from '#services/foundation/stream-names'
import { createEnquiryErasure, type EnquiryErasureParts } from './erase-enquiries.ts'

export interface EraseAddressParts extends EnquiryErasureParts {
  readonly commands: CommandHandler
  readonly emailKeys: EmailKeys
}

type AddressErased =
  /** `enquiries`: how many enquiries of the address are erased, by this run or an earlier one. */
  | { readonly kind: 'erased'; readonly enquiries: number }
  /** Nothing was erased: the erasure of this account covers the address. */
  | { readonly kind: 'has-account'; readonly userId: UserId }

/**
 * Erases the enquiries of a visitor without an account. `email` is an address as the product stores
 * it. Also erases the enquiries of an address that a customer set as secondary address without a
 * verification: the address may belong to another person.
 * @throws NotErasable if this release cannot read an event of an enquiry. An event of a newer
 *   release that arrives after this check stops the erasure in part, and a repeat completes it.
 */
export async function eraseAddress(
  email: string,
  parts: EraseAddressParts,
  context: CommandContext,
): Promise<AddressErased> {
  const { emailKeys } = parts
  const claim = await createClaimStreams(parts).load(email)
  if (claim.ownerId !== null) {
    const { state: account } = await parts.commands.load({
      decider: accountDecider,
      stream: accountStream(claim.ownerId),
    })
    if (account.kind === 'open' && (account.email === email || account.everVerified.has(email)))
      return { kind: 'has-account', userId: claim.ownerId }
  }
  const { assertReadable, erase } = createEnquiryErasure(parts)
  const hmacs = hmacsOf(emailKeys, email)
  for (const hmac of hmacs) await beforeErasure(() => assertReadable(hmac))
  let enquiries = 0
  for (const hmac of hmacs) enquiries += await erase(hmac, context)
  return { kind: 'erased', enquiries }
}
