import { currencyExponent } from '#contracts/currency'
import type { WantedPayment } from '../checkout/pay.ts'
import type { PortalInvoice } from './portal-invoice.ts'
import { money, type PortalView } from './portal-view.ts'

/** What the form of a payment asks for, or the sentence that says what is wrong with it. */
type ReadForm =
  | { readonly kind: 'wanted'; readonly wanted: WantedPayment }
  | { readonly kind: 'refused'; readonly sentence: string }

/** The fields of a form: a field that is there several times has several texts. */
export type FormFields = Readonly<Record<string, string | readonly string[]>>

/** What a box says: the invoice, and what the page showed as open of it. */
export function valueOfBox({ receivableId, open }: PortalInvoice): string {
  return `${receivableId}:${open}`
}

/** Whether it can be paid here: it is not disputed, and no payment of it is on its way. */
export function isPayable({ mayAct, dispute, onItsWay }: PortalInvoice): boolean {
  return mayAct && dispute === null && !onItsWay
}

const changed =
  'What is open has changed since the page was opened. Nothing was paid. Check the amounts, then pay again.'

/** All ticked invoices, or a part of one. The server's own view says what is open. */
export function readPayForm(form: FormFields, view: Pick<PortalView, 'invoices'>): ReadForm {
  const part = single(form['part'])
  if (part !== null) return readPart(part, single(form['amount']) ?? '', view)
  const ticked = [...new Set(listOf(form['invoice']))]
  if (ticked.length === 0) return refused('Tick at least one invoice, then pay.')
  const chosen = ticked.map((value) =>
    view.invoices.find((invoice) => isPayable(invoice) && valueOfBox(invoice) === value),
  )
  if (chosen.includes(undefined)) return refused(changed)
  return wantedOf(
    chosen.flatMap((invoice) => (invoice === undefined ? [] : [{ invoice, amount: invoice.open }])),
  )
}

function readPart(value: string, amountText: string, view: Pick<PortalView, 'invoices'>): ReadForm {
  const invoice = view.invoices.find((each) => isPayable(each) && valueOfBox(each) === value)
  if (invoice === undefined) return refused(changed)
  const { currency, open, number } = invoice
  const amount = minorUnitsOf(amountText, currency)
  if (amount === null)
    return refused(
      `Enter an amount such as ${money(Math.max(1, Math.floor(open / 2)), currency)} to pay a part of ${number}.`,
    )
  if (amount === 0) return refused(`Enter an amount of more than 0 to pay a part of ${number}.`)
  if (amount > open)
    return refused(`Only ${money(open, currency)} of ${number} is open. Enter this amount at most.`)
  return wantedOf([{ invoice, amount }])
}

function wantedOf(
  items: readonly { readonly invoice: PortalInvoice; readonly amount: number }[],
): ReadForm {
  const [first] = items
  const currencies = new Set(items.map(({ invoice }) => invoice.currency))
  if (first === undefined || currencies.size > 1)
    return refused('A payment has one currency. Pay the invoices of each currency separately.')
  return {
    kind: 'wanted',
    wanted: {
      currency: first.invoice.currency,
      items: items.map(({ invoice, amount }) => ({ receivableId: invoice.receivableId, amount })),
    },
  }
}

/**
 * An amount as a person types it: `420`, `420.00`, `1,245.00`, `$420.00`. Null for other texts, and
 * for more decimals than the currency has.
 */
function minorUnitsOf(text: string, currency: string): number | null {
  const match = /^[^\d.,-]{0,3}\s?(\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.(\d{1,3}))?$/u.exec(text.trim())
  if (match === null) return null
  const exponent = currencyExponent(currency)
  const [, whole = '', decimals = ''] = match
  if (decimals.length > exponent) return null
  const minor = Number(whole.replaceAll(',', '') + decimals.padEnd(exponent, '0'))
  return Number.isSafeInteger(minor) ? minor : null
}

function refused(sentence: string): ReadForm {
  return { kind: 'refused', sentence }
}

function single(field: FormFields[string] | undefined): string | null {
  return typeof field === 'string' ? field : null
}

function listOf(field: FormFields[string] | undefined): readonly string[] {
  if (field === undefined) return []
  return typeof field === 'string' ? [field] : field
}
