import { useMemo } from 'react'
import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { Mark } from '../../../ui/mark.tsx'
import { lineMark } from '../shared/timeline-mark.ts'
import { lineScale } from './line-scale.ts'
import './invoice-line.css'

/** The line of an invoice from issued to paid: solid until now, dashed after. */
export function InvoiceLine({ invoice }: { invoice: InvoiceResponse }) {
  const scale = useMemo(() => lineScale(invoice), [invoice])
  const left = (at: number) => ({ left: `${at}%` })
  return (
    <div className="line-box">
      <div
        className={`line ${scale.isPaid ? 'line-paid' : ''}`}
        role="img"
        aria-label={scale.words}
      >
        <span className="line-axis">
          <b style={{ width: `${scale.solid}%` }} />
        </span>
        {scale.ticks.map(({ at, isLong, isPast }) => (
          <i
            key={at}
            className={`line-tick ${isLong ? 'line-long' : ''} ${isPast ? 'line-past' : ''}`}
            style={left(at)}
          />
        ))}
        <i className="line-tick line-due" style={left(scale.due)} />
        {scale.marks.map(({ key, kind, at }) => (
          <span key={key} className="line-mark" style={left(at)}>
            <Mark kind={lineMark(kind)} />
          </span>
        ))}
        {scale.labels.map(({ key, title, text, at, isMain, isAbove }) => (
          <span
            key={key}
            className={`line-label ${isAbove ? 'line-above' : 'line-below'} ${isMain ? '' : 'line-extra'} ${edgeOf(at)}`}
            style={left(at)}
          >
            <b>{title}</b>
            {text}
          </span>
        ))}
        {scale.now !== null && <span className="line-needle" style={left(scale.now)} />}
      </div>
    </div>
  )
}

/** A label at an end of the line stays within it. */
function edgeOf(at: number): string {
  if (at < 4) return 'line-first'
  return at > 95 ? 'line-last' : ''
}
