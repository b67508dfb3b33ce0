import type { AddressHmac } from '#contracts/ids'
import { spendAll, type Count, type GiveBack } from '#services/http/counted-tries'
import { HttpError } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import { domainOf, mailboxOf } from '#services/mail/mailbox'
import { publicMailProviders } from '#services/mail/public-mail-providers'
import type { Accounts, OpenAccount } from './accounts.ts'

/**
 * How many mails strangers can cause to one mailbox. Codes, confirmations of enquiries and other
 * mails count together.
 *
 * - Each network has its own count per mailbox. A verified address gets a code as long as the count
 *   of the caller's network lasts: other networks cannot use it up.
 * - All networks together have a count per mailbox, and one per domain. Both refuse only mails to
 *   addresses without an account, and confirmations. A domain whose server takes every address is
 *   one mailbox. Public providers have no count per domain.
 *
 * An address has an account if a code was entered for it: anyone can type an address.
 */
export interface RecipientBudget {
  /**
   * Counts a code before it is mailed. A code that is not sent is given back. @throws HttpError 429
   * with Retry-After
   */
  spendCode(account: OpenAccount, email: string, network: string): Promise<GiveBack>
  /** Counts the confirmation of an enquiry. Null if it must not be mailed. */
  spendConfirmation(email: string, network: string): Promise<GiveBack | null>
  /** Counts a mail that is sent in any case. */
  countMail(email: string): Promise<void>
  /** A person at this network reads the mailbox: the count of the network begins again. */
  noteSignIn(email: string, network: string): Promise<void>
}

export function createRecipientBudget({
  limits,
  accounts,
}: {
  readonly limits: Pick<Limits, 'mailsFromNetwork' | 'mailsToMailbox' | 'mailsToDomain'>
  readonly accounts: Pick<Accounts, 'ownerOf' | 'find' | 'hmacOf'>
}): RecipientBudget {
  // No address is stored outside the encrypted log.
  const keyOf = (mailbox: string): AddressHmac => accounts.hmacOf(mailbox)

  const fromNetwork = (email: string, network: string): Count => [
    limits.mailsFromNetwork,
    `${keyOf(mailboxOf(email))} ${network}`,
  ]
  const toMailbox = (email: string): Count => [limits.mailsToMailbox, keyOf(mailboxOf(email))]

  /** None for a public provider. */
  function toDomain(email: string): readonly Count[] {
    const domain = domainOf(email)
    return publicMailProviders.has(domain) ? [] : [[limits.mailsToDomain, keyOf(`@${domain}`)]]
  }

  async function isVerified(email: string): Promise<boolean> {
    const owner = await accounts.ownerOf(email)
    const account = owner === null ? null : await accounts.find(owner)
    return account?.verifiedEmails.has(email) ?? false
  }

  async function countMail(email: string): Promise<void> {
    await spendAll([toMailbox(email)]).catch(ignoreRefusal)
  }

  return {
    countMail,

    async spendCode({ verifiedEmails }, email, network) {
      const own = fromNetwork(email, network)
      if (!verifiedEmails.has(email)) return spendAll([own, toMailbox(email), ...toDomain(email)])
      const giveBack = await spendAll([own])
      const [mailbox, key] = toMailbox(email)
      await countMail(email)
      return async () => {
        await giveBack()
        await mailbox.refund(key)
      }
    },

    async spendConfirmation(email, network) {
      const counts = [fromNetwork(email, network), toMailbox(email)]
      const hasAccount = await isVerified(email)
      return spendAll(hasAccount ? counts : [...counts, ...toDomain(email)]).catch(ignoreRefusal)
    },

    async noteSignIn(email, network) {
      const [limit, key] = fromNetwork(email, network)
      await limit.reset(key)
    },
  }
}

function ignoreRefusal(error: unknown): null {
  if (error instanceof HttpError) return null
  throw error
}
