import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { money } from '../shared/amounts.ts'
import { text, type ActField, type ActForm } from './act-form.ts'

const reasonField: ActField = { kind: 'lines', name: 'reason', label: 'Reason' }

export function writeOff({ number, currency, figures }: InvoiceResponse): ActForm {
  const { open, paid } = figures
  return {
    title: `Write off ${money(open, currency)}`,
    isRisky: true,
    fields: [reasonField],
    button: () => `Write off ${money(open, currency)}`,
    says: () =>
      `${number} leaves outstanding and aging as a bad debt.${paid > 0 ? ` The payments of ${money(paid, currency)} stay.` : ''} You can reopen it.`,
    body: (values) => ({ type: 'write-off', reason: text(values, 'reason'), openSeen: open }),
    done: `${number} is written off.`,
  }
}

export function cancel({ number, currency, figures }: InvoiceResponse): ActForm {
  return {
    title: `Cancel ${number}`,
    isRisky: true,
    fields: [reasonField],
    button: () => `Cancel ${number}`,
    says: () =>
      `${number} was issued in error: ${money(figures.open, currency)} is no longer owed, and counts in no figure. You can reopen it.`,
    body: (values) => ({ type: 'cancel', reason: text(values, 'reason') }),
    done: `${number} is canceled.`,
  }
}

export function reopen({ number, currency, ended }: InvoiceResponse): ActForm {
  return {
    title: `Reopen ${number}`,
    fields: [{ ...reasonField, optional: true }],
    button: () => `Reopen ${number}`,
    says: () =>
      `${ended === null ? 'What was open' : money(ended.amount, currency)} is owed again and counts in the figures.`,
    body: (values) => ({ type: 'reopen', reason: text(values, 'reason') }),
    done: `${number} is open again.`,
  }
}
