/** A payment and the fee in it, drawn to scale, in whole dollars and percent. */
export function FeeSplit({ payment, feePercent }: { payment: number; feePercent: number }) {
  const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
  return (
    <figure className="fee-split">
      <figcaption>
        Your customer pays <b className="num">{dollars.format(payment)}</b>
      </figcaption>
      <svg width="100%" height="14" aria-hidden="true">
        <rect width={`${100 - feePercent}%`} height="14" rx="1" fill="var(--ink)" />
        <rect
          x={`${100.5 - feePercent}%`}
          width={`${feePercent - 0.5}%`}
          height="14"
          rx="1"
          fill="var(--accent)"
        />
      </svg>
      <p>
        <span>The payment</span>
        <span>
          Fee {feePercent}% <b className="num">{dollars.format((payment * feePercent) / 100)}</b>
        </span>
      </p>
    </figure>
  )
}
