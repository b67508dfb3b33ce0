import type { InvoiceResponse } from '#contracts/receivables/invoice'
import type { MarkKind } from '../../../ui/mark.tsx'

type TimelineMark = InvoiceResponse['timeline'][number]['mark']

const kinds: Readonly<Record<TimelineMark, MarkKind>> = {
  added: 'sent',
  changed: 'change',
  paid: 'paid',
  returned: 'failed',
  credit: 'refund',
  agreement: 'change',
  ended: 'opened',
  other: 'opened',
}

/** The mark of an event on the line and in the history, also of an event of a newer release. */
export const lineMark = (mark: TimelineMark): MarkKind =>
  Object.hasOwn(kinds, mark) ? kinds[mark] : kinds.other
