import { toMajorUnits } from '#contracts/currency'
import { formatMoney } from '#contracts/format-money'
import type { StatementResponse } from '#contracts/receivables/statement'
import type { Day } from '#services/finance/calendar'
import type { TimeZone } from '#services/finance/time-zone'
import { dayOf } from '../day-of.ts'
import type { PaidNow } from './paid-of.ts'
import type { PortalBrand } from './portal-brand.ts'
import type { InvoiceAgreements, PortalInvoice } from './portal-invoice.ts'
import type { PromiseMade, PromiseOffer } from './promise-offer.ts'

/** Whether messages of one channel go to the client, and what it can do about it. */
export interface Reach {
  readonly channel: 'mail' | 'text'
  /** As the client knows it: an address, or a phone number. */
  readonly address: string
  readonly state: 'on' | 'stopped' | 'stopped-by-text' | 'no-consent'
}

interface PortalPayment {
  /** Null: it has no receipt, such as a credit. */
  readonly receipt: { readonly receivableId: string; readonly paymentId: string } | null
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
  /** Of the merchant. */
  readonly timeZone: TimeZone
  /**
   * What is to be paid, by currency, the one with the most invoices first. Disputed invoices are
   * left out, and so is a currency in which nothing is to be paid.
   */
  readonly owed: readonly {
    readonly currency: string
    readonly open: number
    readonly overdue: number
    readonly oldestOverdue: Day | null
  }[]
  /** Everything that is open, oldest due date first, disputed invoices included. */
  readonly invoices: readonly PortalInvoice[]
  /** Newest first. */
  readonly payments: readonly PortalPayment[]
  readonly reach: readonly Reach[]
  readonly ways: PortalWays
  /** The payment from which the client comes back. */
  readonly paid: PaidNow | null
  /** What the client can promise to pay. */
  readonly offer: PromiseOffer | null
  /** The earliest day first. */
  readonly promises: readonly PromiseMade[]
}

/** How the client can pay. Without a plan of the merchant: not here. */
export interface PortalWays {
  /** On the page of the payment provider, whose name people know: `provider`. */
  readonly isOnline: boolean
  readonly provider: string
  /** The merchant's own gateway, and the host of its link. */
  readonly gateway: { readonly link: string; readonly host: string } | null
  readonly instructions: string | null
}

const unknownAgreements = { url: null, promisedBy: null, dispute: null }

/** Payments that the page shows at most. */
const maxPayments = 50

export function money(minor: number, currency: string): string {
  return formatMoney(toMajorUnits(minor, currency), currency)
}

/** The sums of invoices by currency, in words. */
export function sums(
  invoices: readonly Pick<PortalInvoice, 'currency' | 'open'>[],
): readonly string[] {
  const byCurrency = new Map<string, number>()
  for (const { currency, open } of invoices)
    byCurrency.set(currency, (byCurrency.get(currency) ?? 0) + open)
  return [...byCurrency].map(([currency, open]) => money(open, currency))
}

/** What a statement of a client says of its invoices and payments. */
export function accountOf(
  parts: StatementResponse['parts'],
  known: ReadonlyMap<string, InvoiceAgreements>,
  onItsWay: ReadonlySet<string>,
): Pick<PortalView, 'owed' | 'invoices' | 'payments'> {
  const invoices = parts
    .flatMap(({ currency, openInvoices }) =>
      openInvoices
        .map((invoice) => ({
          receivableId: invoice.receivableId,
          number: invoice.number,
          reference: invoice.reference,
          currency,
          amount: invoice.amount,
          open: invoice.open,
          dueDate: dayOf(invoice.dueDate),
          daysOverdue: invoice.daysOverdue,
          mayAct: known.has(invoice.receivableId),
          onItsWay: onItsWay.has(invoice.receivableId),
          ...(known.get(invoice.receivableId) ?? unknownAgreements),
        }))
        // The stream knows what was paid a moment ago; the read model follows.
        .filter(({ open }) => open > 0),
    )
    .sort((one, other) => compare(one.dueDate, other.dueDate) || compare(one.number, other.number))
  const payable = invoices.filter(({ dispute }) => dispute === null)
  const currencies = [...new Set(payable.map(({ currency }) => currency))]
  const owed = currencies
    .map((currency) => {
      const own = payable.filter((invoice) => invoice.currency === currency)
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
        .toReversed()
        .filter(({ kind }) => kind === 'payment' || kind === 'reversal' || kind === 'credit-used')
        .map(({ day, number, text, change, receivableId, paymentId }) => ({
          receipt: paymentId === null ? null : { receivableId, paymentId },
          day: dayOf(day),
          number,
          text,
          currency,
          amount: -change,
        })),
    )
    .sort((one, other) => compare(other.day, one.day))
    .slice(0, maxPayments)
  return { owed, invoices, payments }
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

function sum(invoices: readonly PortalInvoice[]): number {
  return invoices.reduce((total, { open }) => total + open, 0)
}
