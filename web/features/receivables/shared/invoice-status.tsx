import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { Chip } from '../../../ui/chip.tsx'
import type { StatusLabel } from '../../../ui/status-chip.tsx'
import { countOf } from './days.ts'

type Status = InvoiceResponse['status']

const labels: Readonly<Record<Status, StatusLabel>> = {
  open: { label: 'Open', tone: 'open' },
  overdue: { label: 'Overdue', tone: 'failed' },
  promised: { label: 'Promised', tone: 'pending' },
  'promise-broken': { label: 'Promise broken', tone: 'failed' },
  'on-hold': { label: 'On hold', tone: 'pending' },
  disputed: { label: 'Disputed', tone: 'pending' },
  paid: { label: 'Paid', tone: 'active' },
  'written-off': { label: 'Written off', tone: 'ended' },
  canceled: { label: 'Canceled', tone: 'ended' },
}

/** A newer release may have a status that this page does not know. */
export function InvoiceStatus({ status }: { status: Status }) {
  const { label, tone } = Object.hasOwn(labels, status)
    ? labels[status]
    : ({ label: status, tone: 'ended' } as const)
  return <Chip tone={tone}>{label}</Chip>
}

/** Days since the due date in words: `12 days overdue`, `due today`, `due in 3 days`. */
export function ageText(daysOverdue: number): string {
  if (daysOverdue > 0) return `${countOf(daysOverdue, 'day')} overdue`
  if (daysOverdue === 0) return 'due today'
  return `due in ${countOf(-daysOverdue, 'day')}`
}
