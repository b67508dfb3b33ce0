import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { addDays, fullDay } from '../shared/days.ts'
import { money } from '../shared/amounts.ts'
import { orNull, text, type ActField, type ActForm } from './act-form.ts'

/** A promise reaches this far: receivables.md, section 7. */
const longestPromiseDays = 30

const reasonField: ActField = { kind: 'lines', name: 'reason', label: 'Reason' }

/** The hold of an invoice, or of a client with all its invoices. */
export function hold(what: string, today: string): ActForm {
  return {
    title: `Hold ${what}`,
    fields: [
      reasonField,
      {
        kind: 'day',
        name: 'until',
        label: 'Until',
        optional: true,
        min: addDays(today, 1),
        hint: 'Without a day it holds until you release it.',
      },
    ],
    button: () => 'Hold',
    says: (values) => {
      const until = text(values, 'until')
      const end = until === '' ? 'until you release it' : `until ${fullDay(until)}`
      return `${what} shows as on hold ${end}. What is owed does not change.`
    },
    body: (values) => ({
      type: 'hold',
      reason: text(values, 'reason'),
      until: orNull(values, 'until'),
    }),
    done: `${what} is on hold.`,
  }
}

export function release(what: string): ActForm {
  return {
    title: `Release ${what}`,
    fields: [],
    button: () => 'Release',
    says: () => `The hold of ${what} ends now. What is owed does not change.`,
    body: () => ({ type: 'release' }),
    done: `${what} is released.`,
  }
}

export function promise(invoice: InvoiceResponse): ActForm {
  const { number, today, client, currency, figures } = invoice
  const last = addDays(today, longestPromiseDays)
  return {
    title: 'Promise',
    intro: `${client.name} said when it will pay ${money(figures.open, currency)}.`,
    fields: [
      {
        kind: 'day',
        name: 'by',
        label: 'Pays by',
        min: today,
        max: last,
        initial: addDays(today, 7),
        hint: `${fullDay(last)} at the latest, ${longestPromiseDays} days from today.`,
      },
    ],
    button: () => 'Save the promise',
    says: (values) =>
      text(values, 'by') === ''
        ? `${number} shows as promised.`
        : `${number} shows as promised until ${fullDay(text(values, 'by'))}. If it is open on the day after, the promise is broken and the overview says so.`,
    body: (values) => ({ type: 'promise', by: text(values, 'by') }),
    done: `The promise for ${number} is saved.`,
  }
}

export function withdrawPromise({ number, agreements }: InvoiceResponse): ActForm {
  const by = agreements.promisedBy
  return {
    title: 'Withdraw the promise',
    fields: [],
    button: () => 'Withdraw the promise',
    says: () =>
      `The promise${by === null ? '' : ` to pay by ${fullDay(by)}`} ends. The history of ${number} keeps it.`,
    body: () => ({ type: 'withdraw-promise' }),
    done: `The promise for ${number} is withdrawn.`,
  }
}

export function dispute({ number, client }: InvoiceResponse): ActForm {
  return {
    title: 'Dispute',
    fields: [{ kind: 'lines', name: 'text', label: `What ${client.name} says` }],
    button: () => 'Record the dispute',
    says: () =>
      `${number} shows as disputed until you end the dispute. What is owed does not change.`,
    body: (values) => ({ type: 'dispute', text: text(values, 'text') }),
    done: `The dispute of ${number} is recorded.`,
  }
}

export function resolveDispute({ number, agreements }: InvoiceResponse): ActForm {
  return {
    title: 'End the dispute',
    ...(agreements.disputeText !== null && { intro: `“${agreements.disputeText}”` }),
    fields: [{ kind: 'lines', name: 'outcome', label: 'Outcome', optional: true }],
    button: () => 'End the dispute',
    says: () =>
      `The dispute of ${number} ends. To reduce what is owed, issue a credit memo after it.`,
    body: (values) => ({ type: 'resolve-dispute', outcome: text(values, 'outcome') }),
    done: `The dispute of ${number} has ended.`,
  }
}
