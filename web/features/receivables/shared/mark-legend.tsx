import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { Mark, type MarkKind } from '../../../ui/mark.tsx'
import { lineMark } from './timeline-mark.ts'

/** In the order of an invoice's life. */
const names: readonly { readonly kind: MarkKind; readonly name: string }[] = [
  { kind: 'sent', name: 'Added' },
  { kind: 'email', name: 'E-mail' },
  { kind: 'text', name: 'Text' },
  { kind: 'skipped', name: 'Not sent' },
  { kind: 'paid', name: 'Payment' },
  { kind: 'failed', name: 'Money back' },
  { kind: 'refund', name: 'Credit' },
  { kind: 'change', name: 'Agreement or change' },
  { kind: 'opened', name: 'Ended' },
]

/** What the marks of a history mean: those that it has. */
export function MarkLegend({ events }: { events: InvoiceResponse['timeline'] }) {
  const present = new Set(events.map(({ mark }) => lineMark(mark)))
  return (
    <span className="history-legend">
      {names
        .filter(({ kind }) => present.has(kind))
        .map(({ kind, name }) => (
          <span key={kind}>
            <Mark kind={kind} />
            {name}
          </span>
        ))}
    </span>
  )
}
