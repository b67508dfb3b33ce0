import { useMemo } from 'react'
import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { useMediaQuery } from '../../../lib/use-media-query.ts'
import { Mark } from '../../../ui/mark.tsx'
import { lineMark } from '../shared/timeline-mark.ts'
import { lineScale } from './line-scale.ts'
import './invoice-line.css'

/** The line of an invoice from issued to paid: solid until now, dashed after. */
export function InvoiceLine({ invoice }: { invoice: InvoiceResponse }) {
  const isSmallScreen = useMediaQuery('(max-width: 1000px)')
  const scale = useMemo(
    () => lineScale(invoice, isSmallScreen ? 'narrow' : 'wide'),
    [invoice, isSmallScreen],
  )
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
        {scale.marks.map(({ key, kind, at, beside }) => (
          <span key={key} className="line-mark" style={besideOthers(at, beside)}>
            <Mark kind={lineMark(kind)} />
          </span>
        ))}
        {scale.labels.map(({ key, title, text, at, side, edge }) => (
          <span key={key} className={`line-label line-${side} line-${edge}`} style={left(at)}>
            <b>{title}</b>
            {text}
          </span>
        ))}
        {scale.now !== null && <span className="line-needle" style={left(scale.now)} />}
      </div>
    </div>
  )
}

/** Away from the nearer end of the line, a mark apart. */
const besideOthers = (at: number, beside: number) => ({
  left: beside === 0 ? `${at}%` : `calc(${at}% ${at > 50 ? '-' : '+'} ${beside * 18}px)`,
})
