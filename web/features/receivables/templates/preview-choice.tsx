import { useId } from 'react'
import type { ListedInvoice } from '#contracts/receivables/invoices'

/** Which open invoice the previews are about. */
export function PreviewChoice({
  invoices,
  chosen,
  onChoose,
}: {
  readonly invoices: readonly ListedInvoice[]
  readonly chosen: string | null
  readonly onChoose: (receivableId: string) => void
}) {
  const id = useId()
  return (
    <div className="tpl-choice">
      <label htmlFor={id}>Preview on</label>
      <span className="select">
        <select
          id={id}
          className="input"
          value={chosen ?? ''}
          disabled={invoices.length === 0}
          onChange={(event) => onChoose(event.target.value)}
        >
          {invoices.length === 0 && <option value="">An example</option>}
          {invoices.map(({ receivableId, number, clientName }) => (
            <option key={receivableId} value={receivableId}>
              {number}, {clientName}
            </option>
          ))}
        </select>
      </span>
    </div>
  )
}
