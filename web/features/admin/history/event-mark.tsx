import type { HistoryMark } from '#contracts/admin/history'
import { Mark, type MarkKind } from '../../../ui/mark.tsx'

const kinds = {
  paid: 'paid',
  failed: 'failed',
  returned: 'refund',
  'plan-change': 'change',
  mail: 'email',
  'mail-unsent': 'email-unsent',
  text: 'text',
  'text-unsent': 'text-unsent',
  other: 'opened',
} as const satisfies Record<HistoryMark, MarkKind>

/** The mark of an event on the line. */
export function EventMark({ mark }: { mark: HistoryMark }) {
  return <Mark kind={kinds[mark]} className="event-mark" />
}
