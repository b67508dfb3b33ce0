import type { UserId } from '#contracts/ids'
import type { NeedsYou } from '#contracts/receivables/overview'
import { daysOverdueOf } from '#contracts/receivables/invoice-status'
import type { Day } from '#services/finance/calendar'
import type { ReceivablesQueries } from '../receivables-queries.ts'
import type { ContactStops } from './contact-stops.ts'

/**
 * Clients that are looked at: those that owe longest. Each needs up to three HMACs and the parsing
 * of a number.
 */
const mostClients = 500

/** The clients that owe something and stopped messages, the oldest debt first. */
export function createOptOuts({
  queries,
  stops,
}: {
  readonly queries: Pick<ReceivablesQueries, 'owingContacts'>
  readonly stops: Pick<ContactStops, 'manyStopsOf'>
}) {
  return async (merchantId: UserId, today: Day): Promise<readonly NeedsYou[]> => {
    const clients = await queries.owingContacts(merchantId, mostClients)
    const found = await stops.manyStopsOf(merchantId, clients)
    return clients.flatMap((client, index): readonly NeedsYou[] => {
      const { mail = null, text = null } = found[index] ?? {}
      const [currency, amount] = largest(client.open)
      if ((mail === null && text === null) || currency === undefined) return []
      return [
        {
          kind: 'opted-out',
          clientId: client.clientId,
          clientName: client.clientName,
          receivableId: null,
          number: null,
          sentence: sentenceOf(mail !== null, text !== null, client.email !== null),
          amount,
          currency,
          daysOverdue: daysOverdueOf(client.oldestDue, today),
        },
      ]
    })
  }
}

function largest(open: Readonly<Record<string, number>>): readonly [string | undefined, number] {
  const [first] = Object.entries(open).sort(([, one], [, other]) => other - one)
  return first ?? [undefined, 0]
}

function sentenceOf(mail: boolean, text: boolean, hasEmail: boolean): string {
  if (mail && text) return 'Stopped your e-mails and texts. Call the client, or write a letter.'
  if (mail) return 'Stopped your e-mails. Only texts are left, if the client agreed to them.'
  return hasEmail
    ? 'Stopped your texts. E-mails are left.'
    : 'Stopped your texts and has no e-mail address. Call the client, or write a letter.'
}
