import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { money, typedAmount } from '../shared/amounts.ts'
import type { Day } from '../shared/days.ts'
import { amountIn, text, type ActForm, type Values } from './act-form.ts'
import { moneyBody, moneyFields } from './money-fields.ts'

export type CreditUse = InvoiceResponse['creditUses'][number]
export type Credit = InvoiceResponse['client']['credits'][number]

export function issueCreditMemo(invoice: InvoiceResponse): ActForm {
  const { number, currency, today, figures, since } = invoice
  const amount = (values: Values) => amountIn(values, 'amount', currency)
  return {
    title: 'Credit memo',
    intro: `Reduces ${number} without a payment.`,
    fields: [
      {
        kind: 'amount',
        name: 'amount',
        label: 'Amount',
        currency,
        half: true,
        initial: typedAmount(figures.open, currency),
      },
      {
        kind: 'day',
        name: 'date',
        label: 'Date',
        half: true,
        min: since,
        max: today,
        initial: today,
      },
      { kind: 'line', name: 'number', label: 'Your number of the memo', optional: true },
      { kind: 'line', name: 'reason', label: 'Reason', optional: true },
    ],
    button: (values) => `Credit ${money(amount(values), currency)}`,
    says: (values) => {
      const left = figures.open - amount(values)
      if (left < 0) return `${money(figures.open, currency)} is open: a memo cannot be larger.`
      return `${money(left, currency)} of ${number} stays open. The amount is a reduction, not a payment.`
    },
    body: (values) => ({
      type: 'issue-credit-memo',
      number: text(values, 'number'),
      date: text(values, 'date'),
      amount: amount(values),
      reason: text(values, 'reason'),
      openSeen: figures.open,
    }),
    done: `${number} is reduced.`,
  }
}

export function applyCredit(invoice: InvoiceResponse): ActForm {
  const { number, currency, figures, client } = invoice
  const { credits } = client
  const [first] = credits
  const chosen = (values: Values) =>
    credits.find(({ creditId }) => creditId === text(values, 'creditId'))
  const amount = (values: Values) => amountIn(values, 'amount', currency)
  return {
    title: 'Use a credit',
    intro: `${client.name} has a credit. It pays ${number} today.`,
    fields: [
      {
        kind: 'choice',
        name: 'creditId',
        label: 'Credit',
        initial: first?.creditId ?? '',
        options: credits.map(({ creditId, left }) => ({
          value: creditId,
          label: `${money(left, currency)} left`,
        })),
      },
      {
        kind: 'amount',
        name: 'amount',
        label: 'Amount',
        currency,
        initial: typedAmount(Math.min(figures.open, first?.left ?? 0), currency),
      },
    ],
    button: (values) => `Use ${money(amount(values), currency)}`,
    says: (values) => {
      const left = chosen(values)?.left ?? 0
      if (amount(values) > left) return `The credit has ${money(left, currency)} left.`
      if (amount(values) > figures.open) return `${money(figures.open, currency)} is open.`
      return `${money(figures.open - amount(values), currency)} of ${number} stays open, and ${money(left - amount(values), currency)} of the credit.`
    },
    body: (values) => ({
      type: 'apply-credit',
      creditId: text(values, 'creditId'),
      amount: amount(values),
    }),
    done: `The credit is used for ${number}.`,
  }
}

export function takeCreditBack(
  { number, currency, client, figures }: InvoiceResponse,
  { applicationId, applied }: CreditUse,
): ActForm {
  return {
    title: 'Take the credit back',
    fields: [],
    button: () => `Take back ${money(applied, currency)}`,
    says: () =>
      `From today on, ${money(figures.open + applied, currency)} of ${number} is open. The credit of ${client.name} gets ${money(applied, currency)} back, and its payment can then be reversed.`,
    body: () => ({ type: 'take-credit-back', applicationId }),
    done: `The credit no longer pays ${number}.`,
  }
}

export function returnCredit(credit: Credit, clientName: string, today: Day): ActForm {
  const { creditId, currency, left } = credit
  const amount = (values: Values) => amountIn(values, 'amount', currency)
  return {
    title: 'Return a credit',
    intro: `You paid the credit back to ${clientName}. ${money(left, currency)} is left of it.`,
    fields: moneyFields(
      { minor: left, currency, date: today, method: 'bank-transfer', note: null },
      today,
    ),
    button: (values) => `Return ${money(amount(values), currency)}`,
    says: (values) =>
      amount(values) > left
        ? `The credit has ${money(left, currency)} left.`
        : `${money(left - amount(values), currency)} of the credit is left. No invoice changes.`,
    body: (values) => ({
      type: 'return-credit',
      creditId,
      ...moneyBody(values, amount(values)),
    }),
    done: 'The credit is returned.',
  }
}
