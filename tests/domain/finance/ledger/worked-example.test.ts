import { describe, expect, it } from '@jest/globals'
import { readFile } from 'node:fs/promises'
import { toMajorUnits } from '#contracts/currency'
import type { BillingEvent } from '#contracts/events/billing'
import { chartOfAccounts } from '#services/finance/ledger/accounts'
import { createAccountingDates } from '#services/finance/accounting-date'
import { createLedger, entriesThrough } from '#services/finance/ledger/ledger'
import { createRecognized } from '#services/finance/ledger/recognized'
import { createRevenue } from '#services/finance/ledger/revenue'
import { createTrialBalance } from '#services/finance/ledger/trial-balance'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { feeBackOf, feeOf } from '#contracts/receivables/fee'
import { billing, observed } from '../../../support/data/events.ts'
import { day, month, zone } from '../../../support/data/finance-values.ts'
import { feeEvent } from '../../../support/data/platform-fees.ts'
import { samplePayloads } from '../../../support/data/sample-payloads.ts'

const page = await readFile('docs/finance.md', 'utf8')

/** The cells of the first table after a text of docs/finance.md, without its head. */
function tableAfter(text: string): readonly (readonly string[])[] {
  const [, rest = ''] = page.split(`\n${text}\n`)
  const lines = rest.split('\n')
  const start = lines.findIndex((line) => line.startsWith('|'))
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'))
  return lines.slice(start + 2, end).map((line) =>
    line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.replaceAll('`', '').trim()),
  )
}

const merchant = (name: string) => ({ merchantId: `usr_${name}`, clientId: `client_of_${name}` })
const usd = (amount: number) => ({ amount, currency: 'usd' })
const at = (date: string) => `${date}T09:00:00.000Z`

interface Bought {
  readonly paymentId: string
  readonly planName: string
  readonly total: number
  readonly tax: number
  readonly lines?: readonly number[]
  readonly from: string
  readonly to: string
  readonly fromBalance?: number
}

function payment(bought: Bought): BillingEvent {
  const { paymentId, planName, total, tax, from, to, fromBalance = 0 } = bought
  const { lines = [total - tax] } = bought
  const period = { periodStart: at(from), periodEnd: at(to) }
  return {
    type: 'PaymentSucceeded',
    data: {
      ...samplePayloads.PaymentSucceeded,
      paymentId,
      planName,
      amounts: {
        currency: 'usd',
        subtotal: total - tax,
        discount: 0,
        tax,
        total,
        fromBalance,
        paid: total - fromBalance,
      },
      lines: lines.map((amount) => ({
        description: null,
        quantity: 1,
        priceRef: null,
        isProration: lines.length > 1,
        amount,
        ...period,
      })),
      ...period,
    },
  }
}

function refund(paymentId: string, amount: number): BillingEvent {
  const data = { ...samplePayloads.RefundRecorded, refundId: `refund_${paymentId}`, paymentId }
  return { type: 'RefundRecorded', data: { ...data, amount: usd(amount), status: 'succeeded' } }
}

function chargeback(paymentId: string, amount: number): BillingEvent {
  const data = { ...samplePayloads.DisputeOpened, disputeId: `dispute_${paymentId}`, paymentId }
  return { type: 'DisputeOpened', data: { ...data, kind: 'chargeback', amount: usd(amount) } }
}

function closed(paymentId: string, amount: number, outcome: 'won' | 'lost'): BillingEvent {
  const disputeId = `dispute_${paymentId}`
  return { type: 'DisputeClosed', data: { disputeId, amount: usd(amount), outcome, ...observed } }
}

const monthly = (paymentId: string, from: string, to: string, total: number, tax: number) => ({
  paymentId,
  planName: 'Monthly',
  from,
  to,
  total,
  tax,
})
const [a, b] = ['usr_a', 'usr_b']

/** The events of the worked example, as the first table of the section lists them. */
const events: readonly (readonly [string, string, BillingEvent])[] = [
  [
    '2026-01-15',
    a,
    payment({
      paymentId: 'annual',
      planName: 'Annual',
      total: 401_50,
      tax: 36_50,
      from: '2026-01-15',
      to: '2027-01-15',
    }),
  ],
  ['2026-02-01', b, payment(monthly('feb', '2026-02-01', '2026-03-01', 30_80, 2_80))],
  ['2026-02-10', b, chargeback('feb', 30_80)],
  ['2026-03-01', b, payment(monthly('mar', '2026-03-01', '2026-04-01', 34_10, 3_10))],
  ['2026-03-05', b, closed('feb', 30_80, 'won')],
  ['2026-03-10', b, chargeback('mar', 34_10)],
  ['2026-03-20', b, closed('mar', 34_10, 'lost')],
  ['2026-04-01', b, payment(monthly('apr', '2026-04-01', '2026-05-01', 33_00, 3_00))],
  [
    '2026-04-10',
    b,
    {
      type: 'CreditNoteIssued',
      data: {
        ...samplePayloads.CreditNoteIssued,
        paymentId: 'apr',
        total: usd(11_00),
        tax: 1_00,
        beforePayment: 0,
        refunded: 0,
        toBalance: 11_00,
        outOfBand: 0,
      },
    },
  ],
  [
    '2026-04-15',
    a,
    payment({
      paymentId: 'upgrade',
      planName: 'Annual Plus',
      total: 302_50,
      tax: 27_50,
      lines: [-275_00, 550_00],
      from: '2026-04-15',
      to: '2027-01-15',
    }),
  ],
  [
    '2026-05-01',
    b,
    {
      type: 'PaymentFailed',
      data: { ...samplePayloads.PaymentFailed, paymentId: 'may', due: usd(23_10) },
    },
  ],
  [
    '2026-05-03',
    b,
    payment({ ...monthly('may', '2026-05-01', '2026-06-01', 34_10, 3_10), fromBalance: 11_00 }),
  ],
  ['2026-06-01', a, refund('upgrade', 110_00)],
  ['2026-06-10', b, refund('may', 3_41)],
]

function entries() {
  const ledger = createLedger(createAccountingDates(zone('UTC')))
  return events.flatMap(([date, user, event], revision) =>
    entriesThrough(
      ledger.book(billing(user, event, { occurredAt: at(date), revision })),
      day('2026-06-30'),
    ),
  )
}

const shown = (minor: number) => toMajorUnits(minor, 'usd').toFixed(2)

describe('docs/finance.md', () => {
  it('lists the events of the worked example', () => {
    expect(tableAfter('## Worked example').map(([date]) => date)).toEqual(
      events.map(([date]) => date),
    )
  })

  it('has the revenue of the worked example', () => {
    const revenue = createRevenue()
    for (const entry of entries()) revenue.add(entry)
    const rows = revenue
      .rows()
      .map((row) => [
        row.month,
        row.planName,
        ...[row.gross, row.refunds, row.credits, row.disputes, row.tax, row.net].map(shown),
      ])
    expect(rows).toEqual(tableAfter('Revenue:'))
  })

  it('has the recognized and deferred revenue of the worked example', () => {
    const recognized = createRecognized()
    for (const entry of entries()) recognized.add(entry)
    const rows = recognized
      .rows(month('2026-06'))
      .map((row) => [row.month, shown(row.recognized), shown(row.deferredAtEnd)])
    expect(rows).toEqual(tableAfter('Recognized:'))
  })

  it('has the trial balance of the worked example', () => {
    const trial = createTrialBalance()
    for (const entry of entries()) trial.add(entry)
    const rows = trial
      .rows()
      .map(({ account, debit, credit }) => [account, shown(debit), shown(credit)])
    expect(rows).toEqual(tableAfter('Trial balance:'))
  })

  it('has the entries of the example of fees', () => {
    const owners = { A: merchant('A'), B: merchant('B') }
    const charged = (date: string, of: keyof typeof owners, amount: number) =>
      feeEvent(owners[of], {
        type: 'PlatformFeeCharged',
        data: { feeRef: refOf(`fee_${of}`), chargedAt: at(date), currency: 'usd', amount },
      })
    let returned = 0
    const refunded = (date: string, sum: number) => {
      const amount = feeBackOf(5_00, 100_01, sum) - returned
      returned += amount
      const refs = { feeRef: refOf('fee_A'), returnRef: refOf(`fr_${sum}`) }
      return feeEvent(owners.A, {
        type: 'PlatformFeeReturned',
        data: { ...refs, returnedAt: at(date), currency: 'usd', amount },
      })
    }
    const events = [
      charged('2026-04-10', 'A', feeOf(100_01, 500)),
      charged('2026-04-12', 'B', feeOf(20_00, 500)),
      refunded('2026-04-20', 33_33),
      refunded('2026-05-04', 66_66),
      refunded('2026-05-11', 100_01),
    ]
    const ledger = createLedger(createAccountingDates(zone('UTC')))
    const [revenue, trial] = [createRevenue(), createTrialBalance()]
    const rows = events.flatMap((event) =>
      entriesThrough(ledger.book(event), day('2026-06-30')).map((entry) => {
        revenue.add(entry)
        trial.add(entry)
        const { date, kind, lines } = entry
        return [date, event.type, kind, ...lines.map(({ amount }) => shown(amount))]
      }),
    )
    expect(rows).toEqual(tableAfter('<!-- example: platform fees -->'))
    expect(
      revenue.rows().map((row) => [row.month, shown(row.net), shown(row.platform_fees)]),
    ).toEqual(tableAfter('<!-- example: platform fees by month -->'))
    expect(trial.rows()).toEqual([
      { account: 'cash', currency: 'usd', debit: 1_00, credit: 0 },
      { account: 'platform_fees', currency: 'usd', debit: 0, credit: 1_00 },
    ])
  })

  it('has the chart of accounts', () => {
    const rows = Object.entries(chartOfAccounts).map(([account, definition]) => {
      const { name, kind, normalSide, meaning } = definition
      const shownKind = 'reduces' in definition ? `${kind} of ${definition.reduces}` : kind
      return [account, name, shownKind, normalSide, meaning]
    })
    expect(rows).toEqual(tableAfter('## Chart of accounts'))
  })
})
