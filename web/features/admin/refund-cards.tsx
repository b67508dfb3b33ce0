import type { AdminSummary } from '#contracts/admin/summary'
import { formatCount, formatMoney } from '../../lib/money.ts'
import { totalTitles } from './total-in-words.ts'
import { TotalLink } from './total-link.tsx'

export function RefundCards({
  refunds,
  currency,
}: {
  refunds: AdminSummary['refunds']
  currency: string
}) {
  const kinds = [
    { label: 'Full (F)', count: refunds.full, className: 'refund-full' },
    { label: 'Partial (P)', count: refunds.partial, className: 'refund-partial' },
    { label: 'Proration (Pr)', count: refunds.proration, className: 'refund-proration' },
  ]
  return (
    <section className="panel refunds" aria-label="Refunds">
      <div>
        <h2 className="label">{totalTitles.refunds}</h2>
        <strong>
          <TotalLink total="refunds">{formatCount(refunds.total)}</TotalLink>
        </strong>
        <p className="num">{formatMoney(refunds.totalAmount, currency)} returned in total</p>
        {/* Amounts of different currencies are not added. */}
        {refunds.otherAmounts.map((other) => (
          <p key={other.currency} className="num">
            {formatMoney(other.amount, other.currency)}
          </p>
        ))}
      </div>
      <div>
        <h2 className="label">Refund Breakdown</h2>
        <strong>
          <TotalLink total="refunds">{formatCount(refunds.succeeded)}</TotalLink>
        </strong>{' '}
        <span className="muted">successful</span>
        <div className="refund-shares" aria-hidden="true">
          {kinds.map(
            ({ label, count, className }) =>
              count > 0 && <i key={label} className={className} style={{ flexGrow: count }} />,
          )}
        </div>
        <ul className="refund-kinds num">
          {kinds.map(({ label, count, className }) => (
            <li key={label}>
              <i className={className} aria-hidden="true" />
              {label} <b>{formatCount(count)}</b>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
