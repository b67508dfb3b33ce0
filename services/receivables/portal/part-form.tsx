import { valueOfBox } from './pay-form.ts'
import type { PortalInvoice } from './portal-invoice.ts'
import { formAddress, type RefusedForm } from './portal-said.ts'
import { money } from './portal-view.ts'

/** `checkout`: on the payment provider's page. `gateway`: at the merchant's own gateway. */
type Way = 'checkout' | 'gateway'

/** A part of one invoice: a form of its own, closed until it is wanted. */
export function PartForm({
  way,
  invoice,
  token,
  refused,
  host = null,
}: {
  readonly way: Way
  readonly invoice: PortalInvoice
  readonly token: string
  readonly refused: RefusedForm | null
  /** Of the gateway, which the button names. */
  readonly host?: string | null
}) {
  const { receivableId, number, open, currency } = invoice
  if (open < 2) return null
  const id = `${way}-part-${receivableId}`
  const isRefused = refused?.form['part'] === valueOfBox(invoice) && refused.form['way'] === way
  return (
    <details className="pay-part" open={isRefused}>
      <summary>
        Pay a part<span className="sr-only"> of {number}</span>
      </summary>
      <form method="post" action={formAddress(token, way)}>
        <input type="hidden" name="part" value={valueOfBox(invoice)} />
        <input type="hidden" name="way" value={way} />
        <label className="pay-field" htmlFor={id}>
          You pay, {currency.toUpperCase()}
          <input
            id={id}
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            required
            defaultValue={isRefused ? refused.form['amount'] : undefined}
            aria-invalid={isRefused || undefined}
          />
        </label>
        <button className="pay-second" type="submit">
          Pay this part{host === null ? '' : ` at ${host}`}
        </button>
        <p>{money(open, currency)} is open. The rest stays open, and reminders for it continue.</p>
      </form>
    </details>
  )
}
