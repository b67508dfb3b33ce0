import { receiptText } from '#contracts/receipt-text'
import type { Receipt } from '#contracts/receipts'
import { LogoMark } from '../../ui/logo.tsx'

/** The receipt as a sheet of paper. The PDF shows the same texts. */
export function ReceiptSheet({ receipt }: { receipt: Receipt }) {
  const text = receiptText(receipt)
  const { title, summary, descriptions, from, billedTo, lines, hasQuantities, sums } = text
  return (
    <article className="receipt-sheet" aria-labelledby="receipt-title">
      <p className="receipt-brand">
        <LogoMark />
        {receipt.seller.name}
      </p>
      <h1 id="receipt-title">{title}</h1>
      <p className="receipt-summary num">{summary}</p>
      <div className="receipt-parties">
        <dl>
          {descriptions.map(({ term, value }) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <Party title="From" lines={from} />
        <Party title="Billed to" lines={billedTo} />
      </div>
      <table className="receipt-lines">
        <thead>
          <tr>
            <th scope="col">Description</th>
            {hasQuantities && (
              <th scope="col" className="receipt-figure">
                Quantity
              </th>
            )}
            <th scope="col" className="receipt-figure">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            // Lines have no id, and two lines may be equal. The list never changes.
            // eslint-disable-next-line react/no-array-index-key
            <tr key={index}>
              <td>
                {line.description}
                {line.note !== '' && <small>{line.note}</small>}
              </td>
              {hasQuantities && <td className="receipt-figure">{line.quantity}</td>}
              <td className="receipt-figure">{line.amount}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl className="receipt-sums num">
        {sums.map(({ term, value }) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </article>
  )
}

function Party({ title, lines }: { title: string; lines: readonly string[] }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {lines.map((line) => (
        // A name can read from right to left.
        <p key={line} dir="auto">
          {line}
        </p>
      ))}
    </section>
  )
}
