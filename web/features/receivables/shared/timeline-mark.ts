import type { InvoiceResponse } from '#contracts/receivables/invoice'
import type { MarkKind } from '../../../ui/mark.tsx'

type TimelineMark = InvoiceResponse['timeline'][number]['mark'] | 'mail-planned' | 'text-planned'

const kinds: Readonly<Record<TimelineMark, MarkKind>> = {
  added: 'sent',
  changed: 'change',
  paid: 'paid',
  returned: 'failed',
  credit: 'refund',
  agreement: 'change',
  ended: 'opened',
  mail: 'email',
  text: 'text',
  'not-sent': 'skipped',
  'mail-planned': 'email-planned',
  'text-planned': 'text-planned',
  other: 'opened',
}

/** The mark of an event on the line and in the history, also of an event of a newer release. */
export const lineMark = (mark: TimelineMark): MarkKind =>
  Object.hasOwn(kinds, mark) ? kinds[mark] : kinds.other
