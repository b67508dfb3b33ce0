import { toMajorUnits } from '#contracts/currency'
import { formatMoney } from '#contracts/format-money'
import type { StatementResponse } from '#contracts/receivables/statement'
import type { Day } from '#services/finance/calendar'
import { dayOf } from '../day-of.ts'
import type { PortalBrand } from './portal-brand.ts'

/** Whether messages of one channel go to the client, and what it can do about it. */
export interface Reach {
  readonly channel: 'mail' | 'text'
  /** As the client knows it: an address, or a phone number. */
  readonly address: string
  readonly state: 'on' | 'stopped' | 'stopped-by-text' | 'no-consent'
}

export interface PortalInvoice {
  readonly receivableId: string
  readonly number: string
  readonly reference: string | null
  readonly currency: string
  readonly amount: number
  readonly open: number
  readonly dueDate: Day
  readonly daysOverdue: number
  /** The merchant's own document; https. */
  readonly url: string | null
}

interface PortalPayment {
  readonly day: Day
  readonly number: string
  readonly text: string
  readonly currency: string
  /** What was paid; negative for a payment that went back. */
  readonly amount: number
}

/** What the portal of a client shows. Amounts in minor units. */
export interface PortalView {
  readonly token: string
  readonly brand: PortalBrand
  readonly merchant: {
    readonly name: string
    readonly logo: PortalBrand['logo']
    readonly address: readonly string[]
    readonly email: string | null
    readonly phone: string | null
  }
  readonly clientName: string
  readonly today: Day
  /** By currency, the one with the most first. Nothing is owed in a currency that is left out. */
  readonly owed: readonly {
    readonly currency: string
    readonly open: number
    readonly overdue: number
    readonly oldestOverdue: Day | null
  }[]
  /** Oldest due date first. */
  readonly invoices: readonly PortalInvoice[]
  /** Newest first. */
  readonly payments: readonly PortalPayment[]
  readonly reach: readonly Reach[]
}

/** Payments that the page shows at most. */
const mostPayments = 50

export function money(minor: number, currency: string): string {
  return formatMoney(toMajorUnits(minor, currency), currency)
}

/** What a statement of a client says of its invoices and payments. */
export function accountOf(
  parts: StatementResponse['parts'],
  urlOf: (receivableId: string) => string | null,
): Pick<PortalView, 'owed' | 'invoices' | 'payments'> {
  const invoices = parts
    .flatMap(({ currency, openInvoices }) =>
      openInvoices
        .filter(({ open }) => open > 0)
        .map((invoice) => ({
          receivableId: invoice.receivableId,
          number: invoice.number,
          reference: invoice.reference,
          currency,
          amount: invoice.amount,
          open: invoice.open,
          dueDate: dayOf(invoice.dueDate),
          daysOverdue: invoice.daysOverdue,
          url: urlOf(invoice.receivableId),
        })),
    )
    .sort((one, other) => compare(one.dueDate, other.dueDate) || compare(one.number, other.number))
  const currencies = [...new Set(invoices.map(({ currency }) => currency))]
  const owed = currencies
    .map((currency) => {
      const own = invoices.filter((invoice) => invoice.currency === currency)
      const late = own.filter(({ daysOverdue }) => daysOverdue > 0)
      return {
        currency,
        open: sum(own),
        overdue: sum(late),
        oldestOverdue: late[0]?.dueDate ?? null,
        count: own.length,
      }
    })
    .sort((one, other) => other.count - one.count)
    .map(({ count: _count, ...each }) => each)
  const payments = parts
    .flatMap(({ currency, lines }) =>
      lines
        .filter(({ kind }) => kind === 'payment' || kind === 'reversal' || kind === 'credit-used')
        .map(({ day, number, text, change }) => ({
          day: dayOf(day),
          number,
          text,
          currency,
          amount: -change,
        })),
    )
    .sort((one, other) => compare(other.day, one.day))
    .slice(0, mostPayments)
  return { owed, invoices, payments }
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

function sum(invoices: readonly PortalInvoice[]): number {
  return invoices.reduce((total, { open }) => total + open, 0)
}
