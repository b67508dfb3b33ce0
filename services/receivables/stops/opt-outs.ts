import { setImmediate } from 'node:timers/promises'
import type { UserId } from '#contracts/ids'
import type { MoreNeedsYou, NeedsYou } from '#contracts/receivables/overview'
import { daysOverdueOf } from '#contracts/receivables/invoice-status'
import type { Day } from '#services/finance/calendar'
import type { ReceivablesQueries } from '../receivables-queries.ts'
import type { ContactStops } from './contact-stops.ts'

/** Owing clients that are looked at: more than any merchant of the measured size has. */
const maxClients = 40_000
/** Each client needs up to three HMACs and the parsing of a number. Others are answered between. */
const clientsAtOnce = 500
/** Clients that the answer names. */
const maxNamed = 50

/** The clients that owe something and stopped messages, the oldest debt first. */
export function createOptOuts({
  queries,
  stops,
}: {
  readonly queries: Pick<ReceivablesQueries, 'owingContacts'>
  readonly stops: Pick<ContactStops, 'manyStopsOf'>
}) {
  return async (merchantId: UserId, today: Day): Promise<Omit<MoreNeedsYou, 'noStepLeft'>> => {
    const clients = await queries.owingContacts(merchantId, maxClients)
    const items: NeedsYou[] = []
    let total = 0
    for (let first = 0; first < clients.length; first += clientsAtOnce) {
      const some = clients.slice(first, first + clientsAtOnce)
      const found = await stops.manyStopsOf(merchantId, some)
      for (const [index, client] of some.entries()) {
        const { mail = null, text = null } = found[index] ?? {}
        if (mail === null && text === null) continue
        total += 1
        if (items.length < maxNamed) items.push(rowOf(client, { mail, text }, today))
      }
      await setImmediate()
    }
    return { items, total }
  }
}

type Contact = Awaited<ReturnType<ReceivablesQueries['owingContacts']>>[number]

function rowOf(
  client: Contact,
  { mail, text }: { readonly mail: string | null; readonly text: string | null },
  today: Day,
): NeedsYou {
  const [currency, amount] = largest(client.open)
  return {
    kind: 'opted-out',
    clientId: client.clientId,
    clientName: client.clientName,
    receivableId: null,
    number: null,
    sentence: sentenceOf(mail !== null, text !== null, client.email !== null),
    amount,
    currency,
    daysOverdue: daysOverdueOf(client.oldestDue, today),
  }
}

function largest(open: Readonly<Record<string, number>>): readonly [string, number] {
  const [first] = Object.entries(open).sort(([, one], [, other]) => other - one)
  return first ?? ['usd', 0]
}

function sentenceOf(mail: boolean, text: boolean, hasEmail: boolean): string {
  if (mail && text) return 'Stopped your e-mails and texts. Call the client, or write a letter.'
  if (mail) return 'Stopped your e-mails. Only texts are left, if the client agreed to them.'
  return hasEmail
    ? 'Stopped your texts. E-mails are left.'
    : 'Stopped your texts and has no e-mail address. Call the client, or write a letter.'
}
