import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import './readout.css'

/** A strip of four figures, or of three. */
export function Readouts({ children, of = 4 }: { children: ReactNode; of?: 3 | 4 }) {
  return <div className={`rcv-readouts ${of === 3 ? 'rcv-three' : ''}`}>{children}</div>
}

interface ReadoutProps {
  readonly label: string
  readonly figure: ReactNode
  readonly note: ReactNode
  /** At the right of the figure. */
  readonly spark?: ReactNode
  /** Opens what the figure consists of. `opens` names that: `Events of outstanding`. */
  readonly opens?: string
  readonly onOpen?: () => void
  /** Or the address of what the figure consists of. */
  readonly to?: string
}

/** A figure with its label. With `onOpen` the figure is a button, with `to` a link. */
export function Readout({ label, figure, note, spark, opens, onOpen, to }: ReadoutProps) {
  const content = (
    <>
      <strong>{figure}</strong>
      <span className="sr-only">{opens}</span>
    </>
  )
  return (
    <div className="readout">
      <span className="label">{label}</span>
      <div className="rcv-readout-figure">
        {to !== undefined && (
          <Link to={to} title={opens}>
            {content}
          </Link>
        )}
        {onOpen !== undefined && (
          <button type="button" title={opens} onClick={onOpen}>
            {content}
          </button>
        )}
        {to === undefined && onOpen === undefined && <strong>{figure}</strong>}
        {spark}
      </div>
      <p>{note}</p>
    </div>
  )
}
