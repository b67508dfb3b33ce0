import fc from 'fast-check'
import { parseClientId, parseReceivableId, parseUserId } from '#contracts/ids'
import { addDays, parseDay, type Day } from '#services/finance/calendar'
import type { ReceivableCommand } from '#services/receivables/receivable-commands'

export const merchantId = parseUserId('usr_alder')
export const clientId = parseClientId('client_grace')
export const receivableId = parseReceivableId('receivable_6c1f9a2e-8a52-5f0e-9d55-3c1d0f0c7a11')

export function day(text: string): Day {
  const parsed = parseDay(text)
  if (parsed === null) throw new Error(`${text} is no day.`)
  return parsed
}

export const firstDay = day('2026-01-05')

/** One generator per command type. A new command does not compile without its generator. */
type Generators = {
  readonly [Type in ReceivableCommand['type']]: (
    today: Day,
    open: number,
  ) => fc.Arbitrary<
    Omit<Extract<ReceivableCommand, { readonly type: Type }>, 'merchantId' | 'today' | 'at'>
  >
}

const amounts = fc.integer({ min: 1, max: 500 })
/** A day around today: some are refused. */
const near = (today: Day) => fc.integer({ min: -40, max: 2 }).map((days) => addDays(today, days))
const ahead = (today: Day) => fc.integer({ min: -3, max: 40 }).map((days) => addDays(today, days))
const paymentIds = fc.constantFrom('payment_1', 'payment_2', 'payment_3', 'payment_4')
/** Each row has another one: the product derives it from the import and the row. */
const importedPaymentIds = fc.uuid().map((id) => `payment_${id}`)
const portalPaymentIds = fc.constantFrom('payment_p1', 'payment_p2')
const card = { type: 'card', brand: 'visa', last4: '4242', expiryMonth: 8, expiryYear: 2028 }
const debit = { ...card, type: 'us_bank_account', brand: null, expiryMonth: null, expiryYear: null }
const note = fc.constantFrom(null, 'by phone')
const openSeen = (open: number) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(open) }, { weight: 1, arbitrary: amounts })

const details = (today: Day) =>
  fc.record({
    issueDate: fc.oneof(fc.constant(null), near(today)),
    dueDate: ahead(today),
    amount: amounts,
    reference: fc.constantFrom(null, 'Plan 2'),
    url: fc.constant(null),
  })
const payment = (today: Day) =>
  fc.record({
    paymentId: paymentIds,
    date: near(today),
    amount: amounts,
    method: fc.constantFrom('check' as const, 'cash' as const),
    note,
  })

const generators: Generators = {
  'add-receivable': (today) =>
    fc.record({
      type: fc.constant('add-receivable' as const),
      clientId: fc.constant(clientId),
      receivableId: fc.constant(receivableId),
      number: fc.constant('AD-1187'),
      currency: fc.constant('usd'),
      details: details(today),
    }),
  'import-row': (today, open) =>
    fc.record({
      type: fc.constant('import-row' as const),
      clientId: fc.constant(clientId),
      receivableId: fc.constant(receivableId),
      number: fc.constant('AD-1187'),
      currency: fc.constantFrom('usd', 'usd', 'usd', 'eur'),
      details: details(today),
      openAmount: fc.oneof(fc.constant(null), fc.constant(open), fc.integer({ min: 0, max: 500 })),
      confirmsReversal: fc.boolean(),
      paymentId: importedPaymentIds,
    }),
  'settle-missing': () =>
    fc.record({ type: fc.constant('settle-missing' as const), paymentId: importedPaymentIds }),
  // What it takes back is known only after a life: `import-undo.test.ts`.
  'undo-import': () =>
    fc.constant({
      type: 'undo-import' as const,
      importId: 'import_1',
      own: [],
      sinceBefore: null,
      seen: 0,
      paymentId: 'payment_0',
    }),
  'change-receivable': (today) =>
    fc.record({
      type: fc.constant('change-receivable' as const),
      details: details(today),
      basedOn: fc.integer({ min: 0, max: 3 }),
    }),
  'record-payment': (today, open) =>
    fc.record({
      type: fc.constant('record-payment' as const),
      payment: payment(today),
      openSeen: openSeen(open),
      surplusBecomesCredit: fc.boolean(),
      isEstimated: fc.boolean(),
    }),
  'correct-payment': (today) =>
    fc.record({
      type: fc.constant('correct-payment' as const),
      paymentId: paymentIds,
      payment: payment(today),
      note,
    }),
  'reverse-payment': (today) =>
    fc.record({
      type: fc.constant('reverse-payment' as const),
      paymentId: paymentIds,
      why: fc.constantFrom('recorded-in-error' as const, 'returned' as const),
      date: near(today),
      note,
      creditIsCanceled: fc.boolean(),
    }),
  'receive-payment': (today) =>
    fc.record({
      type: fc.constant('receive-payment' as const),
      payment: fc.record({
        paymentId: portalPaymentIds,
        checkoutId: fc.constant('checkout_1'),
        date: near(today),
        amount: amounts,
        means: fc.constantFrom(card, debit),
      }),
    }),
  'take-payment-back': (today) =>
    fc.record({
      type: fc.constant('take-payment-back' as const),
      paymentId: portalPaymentIds,
      reversalId: fc.constantFrom('refund_1', 'refund_2', 'dispute_1'),
      why: fc.constantFrom('refunded' as const, 'charged-back' as const),
      date: near(today),
      amount: amounts,
    }),
  'issue-credit-memo': (today, open) =>
    fc.record({
      type: fc.constant('issue-credit-memo' as const),
      creditMemoId: fc.constantFrom('memo_1', 'memo_2'),
      number: fc.constant(null),
      date: near(today),
      amount: amounts,
      reason: note,
      openSeen: openSeen(open),
    }),
  'receive-credit': (today) =>
    fc.record({
      type: fc.constant('receive-credit' as const),
      creditId: fc.constant('credit_1'),
      applicationId: fc.constantFrom('application_1', 'application_2'),
      date: near(today),
      amount: amounts,
    }),
  'take-credit-back': () =>
    fc.record({
      type: fc.constant('take-credit-back' as const),
      applicationId: fc.constantFrom('application_1', 'application_2'),
    }),
  'hold-reminders': (today) =>
    fc.record({
      type: fc.constant('hold-reminders' as const),
      reason: fc.constant('Waits for the insurer'),
      until: fc.oneof(fc.constant(null), ahead(today)),
    }),
  'release-reminders': () => fc.constant({ type: 'release-reminders' as const }),
  'promise-payment': (today) =>
    fc.record({
      type: fc.constant('promise-payment' as const),
      by: ahead(today),
      madeBy: fc.constantFrom('merchant' as const, 'client' as const),
    }),
  'withdraw-promise': () => fc.constant({ type: 'withdraw-promise' as const }),
  'dispute-receivable': () =>
    fc.constant({
      type: 'dispute-receivable' as const,
      text: 'Charged twice',
      madeBy: 'client' as const,
    }),
  'end-bank-dispute': () => fc.constant({ type: 'end-bank-dispute' as const }),
  'withdraw-dispute': () => fc.constant({ type: 'withdraw-dispute' as const }),
  'resolve-dispute': () => fc.constant({ type: 'resolve-dispute' as const, outcome: null }),
  'write-off-receivable': (_today, open) =>
    fc.record({
      type: fc.constant('write-off-receivable' as const),
      reason: fc.constant('Agreed'),
      openSeen: openSeen(open),
    }),
  'cancel-receivable': () => fc.constant({ type: 'cancel-receivable' as const, reason: 'Wrong' }),
  'reopen-receivable': () => fc.constant({ type: 'reopen-receivable' as const, reason: null }),
}

/** Any command on `today`, when `open` minor units are open. */
export function anyReceivableCommand(today: Day, open: number): fc.Arbitrary<ReceivableCommand> {
  return fc
    .oneof(...Object.values(generators).map((generator) => generator(today, open)))
    .map((command) => sent(command, today))
}

/** Mostly promises, payments and reversals, so that few steps say much about how clients pay. */
export function anyPayingCommand(today: Day, open: number): fc.Arbitrary<ReceivableCommand> {
  const inFull = generators['record-payment'](today, open).map((command) => ({
    ...command,
    payment: { ...command.payment, amount: Math.max(1, open) },
    openSeen: open,
    isEstimated: false,
  }))
  const soon = fc.integer({ min: 0, max: 9 }).map((days) => ({
    type: 'promise-payment' as const,
    by: addDays(today, days),
    madeBy: 'client' as const,
  }))
  const some = (['reverse-payment', 'receive-payment', 'take-payment-back'] as const).map((type) =>
    generators[type](today, open),
  )
  return fc
    .oneof(
      { weight: 6, arbitrary: soon },
      { weight: 4, arbitrary: inFull },
      ...some.map((arbitrary) => ({ weight: 2, arbitrary })),
      ...Object.values(generators).map((generator) => ({
        weight: 1,
        arbitrary: fc.oneof(generator(today, open), soon, inFull),
      })),
    )
    .map((command) => sent(command, today))
}

/** The command that begins a stream. */
export function anyAddition(today: Day): fc.Arbitrary<ReceivableCommand> {
  return generators['add-receivable'](today, 0).map((command) => sent(command, today))
}

function sent(command: object, today: Day): ReceivableCommand {
  return { ...command, merchantId, today, at: `${today}T17:00:00.000Z` } as ReceivableCommand
}
