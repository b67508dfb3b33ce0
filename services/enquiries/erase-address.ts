import type { UserId } from '#contracts/ids'
import { accountDecider } from '#services/accounts/account-decider'
import { addressHmac } from '#services/accounts/address-hmac'
import { emailClaimDecider } from '#services/accounts/email-claim-decider'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import { accountStream, emailStream } from '#services/foundation/stream-names'
import { createEnquiryErasure, type EnquiryErasureParts } from './erase-enquiries.ts'

export interface EraseAddressParts extends EnquiryErasureParts {
  readonly commands: CommandHandler
  readonly emailHmacKey: Buffer
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
 */
export async function eraseAddress(
  email: string,
  { emailHmacKey, ...parts }: EraseAddressParts,
  context: CommandContext,
): Promise<AddressErased> {
  const hmac = addressHmac(email, emailHmacKey)
  const { state: claim } = await parts.commands.load({
    decider: emailClaimDecider,
    stream: emailStream(hmac),
  })
  if (claim.ownerId !== null) {
    const { state: account } = await parts.commands.load({
      decider: accountDecider,
      stream: accountStream(claim.ownerId),
    })
    if (account.kind === 'open' && (account.email === email || account.everVerified.has(email)))
      return { kind: 'has-account', userId: claim.ownerId }
  }
  return { kind: 'erased', enquiries: await createEnquiryErasure(parts)(hmac, context) }
}
