import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { fullDay } from '../shared/days.ts'
import { money } from '../shared/amounts.ts'
import { amountIn, text, type ActForm, type Values } from './act-form.ts'
import { methodName, moneyBody, moneyFields } from './money-fields.ts'

export type Payment = InvoiceResponse['payments'][number]

/** Choose another day than a wrong one: the sentence has none then. */
const onDay = (values: Values, name = 'date') =>
  text(values, name) === '' ? '' : ` on ${fullDay(text(values, name))}`

export function recordPayment(invoice: InvoiceResponse): ActForm {
  const { number, currency, today, client, figures } = invoice
  const { open } = figures
  const amount = (values: Values) => amountIn(values, 'amount', currency)
  const surplus = (values: Values) => amount(values) - open
  return {
    title: 'Record payment',
    intro: `${client.name}, ${number}, ${money(open, currency)} open.`,
    fields: [
      ...moneyFields({ minor: open, currency, date: today, method: 'check', note: null }, today),
      {
        kind: 'check',
        name: 'credit',
        label: `Keep what is above ${money(open, currency)} as a credit of ${client.name}.`,
        isShown: (values) => surplus(values) > 0,
      },
    ],
    button: (values) => `Record ${money(amount(values), currency)}`,
    says: (values) => {
      if (surplus(values) > 0)
        return values['credit'] === 'yes'
          ? `${number} is then paid. ${money(surplus(values), currency)} becomes a credit of ${client.name}.`
          : `${money(surplus(values), currency)} is more than ${number} needs. Keep it as a credit, or correct the amount.`
      if (surplus(values) === 0) return `${number} is then paid. Nothing stays open.`
      return `${money(-surplus(values), currency)} of ${number} stays open.`
    },
    body: (values) => ({
      type: 'record-payment',
      ...moneyBody(values, amount(values)),
      openSeen: open,
      surplusBecomesCredit: values['credit'] === 'yes',
    }),
    done: `The payment of ${number} is recorded.`,
  }
}

export function correctPayment(invoice: InvoiceResponse, payment: Payment): ActForm {
  const { number, currency, today } = invoice
  const { paymentId, date, method, note } = payment
  const before = payment.applied + payment.surplus
  const amount = (values: Values) => amountIn(values, 'amount', currency)
  return {
    title: 'Correct a payment',
    intro: `${money(before, currency)} of ${fullDay(date)} for ${number}.`,
    fields: [
      ...moneyFields({ minor: before, currency, date, method, note }, today),
      { kind: 'line', name: 'correctionNote', label: 'Why it is corrected', optional: true },
    ],
    button: (values) => `Correct to ${money(amount(values), currency)}`,
    says: (values) => {
      const change = amount(values) - before
      const dated =
        text(values, 'date') === date
          ? ''
          : ` It counts${onDay(values)} instead of ${fullDay(date)}.`
      if (change === 0) return `The amount stays ${money(before, currency)}.${dated}`
      return `${money(before, currency)} becomes ${money(amount(values), currency)}: ${money(Math.abs(change), currency)} ${change > 0 ? 'more' : 'less'} is paid.${dated} The history keeps both.`
    },
    body: (values) => ({
      type: 'correct-payment',
      paymentId,
      ...moneyBody(values, amount(values)),
      correctionNote: text(values, 'correctionNote'),
    }),
    done: `The payment of ${number} is corrected.`,
  }
}

export function reversePayment(invoice: InvoiceResponse, payment: Payment): ActForm {
  const { number, currency, today } = invoice
  const { paymentId, date, applied, surplus, method } = payment
  const all = money(applied + surplus, currency)
  const isReturned = (values: Values) => text(values, 'why') === 'returned'
  return {
    title: `Reverse ${all}`,
    intro: `${methodName(method)}, ${fullDay(date)}, for ${number}.`,
    isRisky: true,
    fields: [
      {
        kind: 'choice',
        name: 'why',
        label: 'What happened',
        initial: 'returned',
        options: [
          { value: 'returned', label: 'The money went back, such as a bounced check' },
          { value: 'recorded-in-error', label: 'It was recorded in error' },
        ],
      },
      {
        kind: 'day',
        name: 'date',
        label: 'Day on which it went back',
        min: date,
        max: today,
        initial: today,
        isShown: isReturned,
      },
      { kind: 'line', name: 'note', label: 'Note', optional: true },
    ],
    button: () => `Reverse ${all}`,
    says: (values) =>
      isReturned(values)
        ? `${money(applied, currency)} of ${number} is open again${onDay(values)}. The payment counts until then.`
        : `${money(applied, currency)} of ${number} is open again. The payment counts on no day: it never was.`,
    body: (values) => ({
      type: 'reverse-payment',
      paymentId,
      why: text(values, 'why'),
      date: isReturned(values) ? text(values, 'date') : today,
      note: text(values, 'note'),
    }),
    done: `The payment of ${number} is reversed.`,
  }
}
