import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import type Stripe from 'stripe'
import type { BillingEvent } from '#contracts/events/billing'
import { idOf } from '#services/sandbox/store/stripe-objects'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { financeLog } from '#services/reports/finance-log'
import { withoutProof } from '#services/event-store/audit/event-proof'
import { reconcileNow } from '#services/billing/reconciler/reconciler'
import { createReconcilerState } from '#services/billing/reconciler/reconciler-state'
import { addMonths, monthOf } from '#services/finance/calendar'
import { daysIn } from '#services/finance/time-zone'
import { systemClock } from '#services/foundation/clock'
import { createAccountReader } from '#services/payments/stripe/account-reader'
import { followLog } from '#services/reports/reconciliation/log-side'
import { compareAccount } from '#services/reports/reconciliation/compare-account'
import { auditKey } from '../../support/event-store/mac-key.ts'
import { billing } from '../../support/data/events.ts'
import { feeEvent } from '../../support/data/platform-fees.ts'
import { connectAccount, payOnAccount } from '../../support/product/connected-accounts.ts'
import { zone } from '../../support/data/finance-values.ts'
import { appendFinanceEvents } from '../../support/data/finance-log.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { billingSideOfFile } from '../../support/product/billing-side-of-file.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'

const runBilling = billingInOneProcess()

/*
 * A short history through the product and the sandbox, and differences that are planted in the
 * database of the sandbox and in the log. Each test but the last leaves both sides equal. The
 * sandbox sends no webhooks: `handleEvents` handles its events.
 */

const log = pino({ level: 'silent' })
const { database, sandbox, side } = await billingSideOfFile(log)
const state = createReconcilerState(database.pool, systemClock)
await state.begin()

const handleEvents = () =>
  reconcileNow(
    { ...side.events, billing: side.billing, state, clock: systemClock, log, firstPauseMs: 1 },
    { isFull: false, signal: new AbortController().signal },
  )

const minute = 60_000

async function compareBoth({ since = Date.now() - 5 * minute } = {}) {
  return compareAccount(
    {
      log: followLog(financeLog(side.store, withoutProof)),
      account: createAccountReader(side.stripe, { firstPauseMs: 1 }),
      feed: side.events.feed,
      handled: side.events.webhookLog.settled,
    },
    { cutOff: new Date(since).toISOString(), isInScope: () => true },
  )
}

const rowsOf = ({ differences }: Awaited<ReturnType<typeof compareBoth>>) =>
  differences.map(({ id, field, log: inLog, provider }) => ({ id, field, log: inLog, provider }))

/** Sets a field of an object of the sandbox, as if the product had another object. */
async function plant(id: string, path: readonly string[], value: unknown): Promise<void> {
  const { rowCount } = await sandbox.database.pool.query(
    'UPDATE sandbox.object SET data = jsonb_set(data, $2, $3) WHERE id = $1',
    [id, [...path], JSON.stringify(value)],
  )
  expect(rowCount).toBe(1)
}

/** Runs `work` while the sandbox has another object, and then restores it. */
async function planted(
  id: string,
  [path, value]: readonly [readonly string[], unknown],
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await sandbox.database.pool.query<{ data: object }>(
    'SELECT data FROM sandbox.object WHERE id = $1',
    [id],
  )
  await plant(id, path, value)
  try {
    await work()
  } finally {
    await sandbox.database.pool.query('UPDATE sandbox.object SET data = $2 WHERE id = $1', [
      id,
      JSON.stringify(rows[0]?.data),
    ])
  }
}

let bought: Awaited<ReturnType<typeof side.buy>>
let ids: Record<'subscription' | 'invoice' | 'charge' | 'refund' | 'creditNote', string>

beforeAll(async () => {
  const { stripe } = sandbox
  bought = await side.buy()
  const disputed = await side.buy()
  const { customer } = bought
  const [subscription] = (await stripe.subscriptions.list({ customer })).data
  const [charge] = (await stripe.charges.list({ customer })).data
  const [invoice] = (await stripe.invoices.list({ customer })).data
  const refund = await stripe.refunds.create({ charge: charge?.id ?? '', amount: 500 })
  const creditNote = await stripe.creditNotes.create({
    invoice: invoice?.id ?? '',
    amount: 300,
    credit_amount: 300,
  })
  const item = subscription?.items.data[0]?.id ?? ''
  await stripe.subscriptions.update(subscription?.id ?? '', { items: [{ id: item, quantity: 3 }] })
  await stripe.subscriptions.update(subscription?.id ?? '', { cancel_at_period_end: true })
  const [ended] = (await stripe.subscriptions.list({ customer: disputed.customer })).data
  await stripe.subscriptions.cancel(ended?.id ?? '')
  await handleEvents()
  ids = {
    subscription: subscription?.id ?? '',
    invoice: invoice?.id ?? '',
    charge: charge?.id ?? '',
    refund: refund.id,
    creditNote: creditNote.id,
  }
}, 60_000)

describe('the reconciliation with the provider', () => {
  it('finds no difference in a history that the product recorded', async () => {
    const result = await compareBoth()
    expect(result).toMatchObject({ differences: [], inFlight: 0 })
    expect(result.compared).toMatchObject({ refund: 1, 'credit note': 1, subscription: 2 })
    expect(result.compared.payment).toBeGreaterThanOrEqual(2)
  })

  it('finds each difference that is planted at the provider, and no other', async () => {
    const cases = [
      ['invoice', ['total'], 4_000, { field: 'amount', provider: { amount: 4_000 } }],
      ['creditNote', ['customer'], 'cus_other', { field: 'customer', provider: 'cus_other' }],
      ['charge', ['amount_captured'], 1, { field: 'charged', provider: { amount: 1 } }],
      ['charge', ['amount_refunded'], 499, { field: 'refunded', log: { amount: 500 } }],
      ['refund', ['status'], 'failed', { field: 'status', provider: 'failed' }],
      ['refund', ['amount'], 501, { field: 'amount', log: { amount: 500 } }],
      ['creditNote', ['status'], 'void', { field: 'status', log: 'issued' }],
      ['subscription', ['status'], 'past_due', { field: 'status', log: 'active' }],
      ['subscription', ['items', 'data', '0', 'quantity'], 4, { field: 'quantity', log: 3 }],
      ['subscription', ['items', 'data', '0', 'price', 'id'], 'price_x', { field: 'price' }],
    ] as const
    for (const [object, path, value, expected] of cases) {
      await planted(ids[object], [path, value], async () => {
        const id = object === 'charge' ? ids.invoice : ids[object]
        expect({ object, rows: rowsOf(await compareBoth()) }).toMatchObject({
          object,
          rows: [{ id: refOf(id), ...expected }],
        })
      })
    }
    await planted(ids.subscription, [['cancel_at'], null], () =>
      planted(ids.subscription, [['cancel_at_period_end'], false], async () => {
        expect(rowsOf(await compareBoth())).toMatchObject([{ field: 'cancel_at', provider: null }])
      }),
    )
    expect((await compareBoth()).differences).toEqual([])
  }, 60_000)

  it('reads every page, and names each of 150 charges that the log lacks', async () => {
    await sandbox.database.pool.query(
      `INSERT INTO sandbox.object (id, kind, data)
       SELECT 'ch_planted_' || n, kind, data || jsonb_build_object(
         'id', 'ch_planted_' || n, 'payment_intent', 'pi_planted_' || n, 'amount_refunded', 0)
       FROM sandbox.object, generate_series(1, 150) n WHERE id = $1`,
      [ids.charge],
    )
    side.calls.length = 0
    const { differences } = await compareBoth()
    expect(new Set(differences.map(({ id }) => id)).size).toBe(150)
    expect(
      differences.every(({ field, log: inLog }) => field === 'existence' && inLog === 'missing'),
    ).toBe(true)
    const pages = side.calls.filter(
      (call) => call.startsWith('GET /v1/charges?') && !call.includes('customer='),
    )
    expect(pages).toHaveLength(2)
    await sandbox.database.pool.query("DELETE FROM sandbox.object WHERE id LIKE 'ch_planted_%'")
  })

  it('repeats a page after a rate limit', async () => {
    let refusals = 2
    side.intercept = async (call) => {
      if (!call.startsWith('GET /v1/refunds') || refusals === 0) return null
      refusals -= 1
      return Response.json(
        { error: { type: 'rate_limit_error', message: 'Slow.' } },
        { status: 429 },
      )
    }
    expect(await compareBoth()).toMatchObject({ differences: [], compared: { refund: 1 } })
    expect(refusals).toBe(0)
    side.intercept = async () => null
  })

  it('leaves out a change whose webhooks are in flight, and names it after the delay', async () => {
    const { userId } = await side.buy()
    expect(await compareBoth()).toMatchObject({ differences: [], inFlight: 1 })
    const late = await compareBoth({ since: Date.now() + minute })
    expect(late.inFlight).toBe(0)
    expect(late.differences.map(({ kind, field, userId: of }) => ({ kind, field, of }))).toEqual(
      expect.arrayContaining([
        { kind: 'payment', field: 'existence', of: userId },
        { kind: 'subscription', field: 'existence', of: userId },
      ]),
    )
    await handleEvents()
    expect(await compareBoth()).toMatchObject({ differences: [], inFlight: 0 })
  })

  it('finds no difference in a change that is recorded while it reads', async () => {
    const { stripe } = sandbox
    let isChanged = false
    side.intercept = async (call) => {
      if (isChanged || !call.startsWith('GET /v1/subscriptions')) return null
      isChanged = true
      await stripe.subscriptions.update(ids.subscription, { cancel_at_period_end: false })
      await handleEvents()
      return null
    }
    expect(await compareBoth()).toMatchObject({ differences: [], inFlight: 0 })
    expect(isChanged).toBe(true)
    side.intercept = async () => null
  })
})

describe('the fees on payments of clients', () => {
  const merchantId = 'usr_merchant'
  const ofClient = { merchantId, clientId: 'client_of_merchant' }
  /** The differences of fees, as if the fees were charged long ago. */
  const found = async () => {
    const { differences } = await compareBoth({ since: Date.now() + minute })
    return differences.map(({ kind, id, field, userId, log: inLog, provider }) => {
      expect(kind).toBe('fee')
      return { id, field, userId, log: inLog, provider }
    })
  }
  let fee: Stripe.ApplicationFee

  beforeAll(async () => {
    const { stripe } = sandbox
    const stripeAccount = await connectAccount(stripe)
    const { charge } = await payOnAccount(stripe, stripeAccount)
    await stripe.refunds.create(
      { charge: charge.id, amount: 4_000, refund_application_fee: true },
      { stripeAccount },
    )
    fee = await stripe.applicationFees.retrieve(idOf(charge.application_fee ?? ''))
    expect(fee).toMatchObject({ amount: 600, amount_refunded: 200 })
  })

  it('are in flight for a while, and then missing in the log', async () => {
    expect(await compareBoth()).toMatchObject({ differences: [], inFlight: 1 })
    expect(await found()).toEqual([
      { id: refOf(fee.id), field: 'existence', userId: null, log: 'missing', provider: 'exists' },
    ])
  })

  it('lack what the provider returned, until the log has that, too', async () => {
    const at = new Date(fee.created * 1_000).toISOString()
    const { currency } = fee
    const feeRef = refOf(fee.id)
    const charged = { feeRef, chargedAt: at, currency, amount: 600 }
    const returned = {
      feeRef,
      returnRef: refOf(fee.refunds.data[0]?.id ?? ''),
      returnedAt: at,
      currency,
      amount: 200,
    }
    const usd = (amount: number) => ({ amount, currency })
    const first = feeEvent(ofClient, { type: 'PlatformFeeCharged', data: charged })
    await appendFinanceEvents(side.store, [first])
    expect(await found()).toEqual([
      { id: feeRef, field: 'returned', userId: merchantId, log: usd(0), provider: usd(200) },
    ])
    const second = feeEvent(
      ofClient,
      { type: 'PlatformFeeReturned', data: returned },
      { revision: 1 },
    )
    await appendFinanceEvents(side.store, [second])
    expect(await found()).toEqual([])
    expect((await compareBoth()).compared.fee).toBe(1)
  })

  it('are found with another amount, returned amount or currency', async () => {
    const cases = [
      ['amount', ['amount'], 601],
      ['returned', ['amount_refunded'], 199],
      ['currency', ['currency'], 'eur'],
    ] as const
    for (const [field, path, value] of cases)
      await planted(fee.id, [path, value], async () => {
        expect(await found()).toMatchObject([{ id: refOf(fee.id), field, userId: merchantId }])
      })
    expect(await found()).toEqual([])
  })

  it('are read on every page, and each is named that one side lacks', async () => {
    await sandbox.database.pool.query(
      `INSERT INTO sandbox.object (id, kind, data)
       SELECT 'fee_planted_' || n, kind, data || jsonb_build_object('id', 'fee_planted_' || n)
       FROM sandbox.object, generate_series(1, 150) n WHERE id = $1`,
      [fee.id],
    )
    const lacking = await found()
    expect(new Set(lacking.map(({ id }) => id)).size).toBe(150)
    expect(lacking.every(({ log: inLog }) => inLog === 'missing')).toBe(true)
    await sandbox.database.pool.query("DELETE FROM sandbox.object WHERE id LIKE 'fee_planted_%'")
    side.intercept = async (call) =>
      call.startsWith('GET /v1/application_fees')
        ? Response.json({ object: 'list', data: [], has_more: false, url: '' })
        : null
    expect(await found()).toMatchObject([
      { id: refOf(fee.id), field: 'existence', log: 'exists', provider: 'missing' },
    ])
    side.intercept = async () => null
    expect(await found()).toEqual([])
  })
})

describe('billing report reconciliation', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>
  beforeAll(async () => {
    directory = await temporaryDirectory()
  })
  afterAll(() => directory.remove())

  const report = (settings: Readonly<Record<string, string>>, ...args: readonly string[]) =>
    run(settings, 'report', 'reconciliation', ...args)
  const run = (settings: Readonly<Record<string, string>>, ...args: readonly string[]) =>
    runBilling(
      {
        DATA_DIR: directory.path,
        AUDIT_KEY: auditKey.toString('hex'),
        DATABASE_URL: database.connectionString,
        EVENTSTORE_URL: undefined,
        SANDBOX_PORT: new URL(sandbox.url).port,
        ...settings,
      },
      ...args,
    )

  it('gives exit code 0 and the account without a difference', async () => {
    const { code, stdout, stderr } = await report({}, '--format', 'json')
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stderr).toContain('No difference.')
    expect(JSON.parse(stdout)).toMatchObject({
      parameters: { provider: 'acct_sandbox (sandbox)', in_flight: '0 customers' },
      rows: [],
      position: await side.store.lastPosition(),
    })
  })

  it('refuses options without a meaning, and writes nothing if the provider does not answer', async () => {
    const [asOf, explain] = await Promise.all([
      report({}, '--as-of', '2026-03-31'),
      report({}, '--explain'),
    ])
    expect(asOf).toMatchObject({ code: 2, stdout: '' })
    expect(explain).toMatchObject({ code: 2, stdout: '' })
    const away = await report({ SANDBOX_PORT: '9' })
    expect(away).toMatchObject({ code: 1, stdout: '' })
    expect(away.stderr).toMatch(/^The sandbox at .* does not answer.*\n$/)
  })

  it('names a payment that the log has and the provider lacks, with exit code 1', async () => {
    const before = await side.store.lastPosition()
    const stream = await side.store.readStream(`billing-${bought.userId}`)
    const data = { ...samplePayloads.PaymentSucceeded, invoiceRef: refOf('in_planted') } as const
    const event: BillingEvent = { type: 'PaymentSucceeded', data }
    const planted = billing(bought.userId, event, { revision: stream.length })
    await appendFinanceEvents(side.store, [planted])
    const { code, stdout, stderr } = await report({}, '--format', 'json')
    expect({ code, stderr }).toMatchObject({ code: 1 })
    expect(stderr).toContain("1 difference.\nNext: 'billing reconcile --all'")
    expect(JSON.parse(stdout)).toMatchObject({
      rows: [
        {
          object: 'payment',
          // As the provider's dashboard finds them.
          id: 'in_planted',
          customer: bought.customer,
          user_id: bought.userId,
          currency: 'usd',
          amount: '39.00',
          field: 'existence',
          log: 'exists',
          provider: 'missing',
          log_event_id: planted.id,
        },
      ],
    })
    expect(before).not.toBe(await side.store.lastPosition())

    const lastMonth = addMonths(monthOf(daysIn(zone('UTC'))(new Date().toISOString())), -1)
    const closed = await run({ MASTER_KEY: '07'.repeat(32) }, 'close', lastMonth, '--dry-run')
    expect(closed).toMatchObject({ code: 1 })
    expect(closed.stdout).toMatch(
      /^reconciliation {2}finding {2}The report reconciliation lists 1 difference, [01] of them to the end of 20/m,
    )
  }, 120_000)
})
