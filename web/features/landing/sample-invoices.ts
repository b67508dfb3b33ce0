import type { ChipTone } from '../../ui/chip.tsx'
import type { MarkKind } from '../../ui/mark.tsx'

/** A sample invoice: its events by days since it was sent. */
export interface SampleInvoice {
  readonly number: string
  readonly customer: string
  readonly amount: string
  readonly steps: readonly { readonly mark: MarkKind; readonly day: number }[]
  readonly status: { readonly tone: ChipTone; readonly text: string }
}

const sent = { mark: 'sent', day: 0 } as const
const email = (day: number) => ({ mark: 'email', day }) as const
const text = (day: number) => ({ mark: 'text', day }) as const
const paid = (day: number) => ({ mark: 'paid', day }) as const
const today = (day: number) => ({ mark: 'now', day }) as const

const isPaid = { tone: 'active', text: 'Paid' } as const
const isReminded = { tone: 'open', text: 'Reminded' } as const

/** The number of days on the board's scale. */
export const scaleDays = 21

export const sampleInvoices: readonly [SampleInvoice, ...SampleInvoice[]] = [
  {
    number: 'INV-2041',
    customer: 'Marisol Quintero',
    amount: '$1,240.00',
    steps: [sent, email(3), text(7), email(10), text(12), paid(14)],
    status: isPaid,
  },
  {
    number: 'INV-2046',
    customer: 'Dorset Way Apartments',
    amount: '$3,865.00',
    steps: [sent, email(3), text(7), today(9)],
    status: isReminded,
  },
  {
    number: 'INV-2047',
    customer: 'T. Okonjo-Hale',
    amount: '$415.50',
    steps: [sent, email(3), paid(4)],
    status: isPaid,
  },
  {
    number: 'INV-2049',
    customer: 'Fenwick Glass & Frame',
    amount: '$2,190.00',
    steps: [sent, email(3), text(7), email(10), text(14), today(18)],
    status: { tone: 'failed', text: 'Overdue' },
  },
  {
    number: 'INV-2052',
    customer: 'Priya Raghunathan',
    amount: '$96.00',
    steps: [sent, paid(1)],
    status: isPaid,
  },
  {
    number: 'INV-2053',
    customer: 'Lakeside Charter School',
    amount: '$5,720.00',
    steps: [sent, email(3), today(6)],
    status: isReminded,
  },
  {
    number: 'INV-2055',
    customer: 'Joel Abernethy',
    amount: '$680.25',
    steps: [sent, today(2)],
    status: { tone: 'ended', text: 'Sent' },
  },
]
