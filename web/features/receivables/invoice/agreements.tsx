import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { ofNewerRelease } from '../../../lib/of-newer-release.ts'
import { Mark } from '../../../ui/mark.tsx'
import { money } from '../shared/amounts.ts'
import { shortDay } from '../shared/days.ts'
import './agreements.css'

/**
 * What holds now, one line each: a payment on its way, a hold, a promise, a dispute, or the end of
 * the invoice.
 */
export function Agreements({ invoice }: { invoice: InvoiceResponse }) {
  const lines = linesOf(invoice)
  if (lines.length === 0) return null
  return (
    <ul className="agreements">
      {lines.map((line) => (
        <li key={line}>
          <Mark kind="change" />
          <p dir="auto">{line}</p>
        </li>
      ))}
    </ul>
  )
}

function linesOf({ agreements, ended, today, client, currency }: InvoiceResponse): string[] {
  const { onItsWay, hold, clientHold, promisedBy, promiseIsBroken, isDisputed } = agreements
  const until = (day: string | null) =>
    day === null ? 'until you release it' : `until ${shortDay(day, today)}`
  return [
    onItsWay !== null &&
      `A payment of ${money(onItsWay, currency)} is on its way. A bank debit takes days, and reminders wait until it arrives or fails.`,
    isDisputed && disputeSentence(agreements),
    promisedBy !== null &&
      (promiseIsBroken
        ? `The client promised to pay by ${shortDay(promisedBy, today)}. The promise is broken.`
        : `The client promises to pay by ${shortDay(promisedBy, today)}.`),
    hold !== null && `On hold ${until(hold.until)}: ${hold.reason}`,
    clientHold !== null &&
      `All invoices of ${client.name} are on hold ${until(clientHold.until)}: ${clientHold.reason}`,
    ended !== null && `${endWord(ended.kind)} on ${shortDay(ended.day, today)}: ${ended.reason}`,
  ].filter((line) => line !== false)
}

function disputeSentence({ disputedBy, disputeText }: InvoiceResponse['agreements']): string {
  if (disputedBy === 'bank') return disputeText ?? 'A payment is disputed at the bank.'
  return disputeText === null
    ? 'The client disputes it.'
    : `The client disputes it: “${disputeText}”`
}

function endWord(kind: NonNullable<InvoiceResponse['ended']>['kind']): string {
  switch (kind) {
    case 'written-off':
      return 'Written off'
    case 'canceled':
      return 'Canceled'
    default:
      return ofNewerRelease(kind)
  }
}
