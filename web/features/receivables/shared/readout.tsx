import type { ReactNode } from 'react'
import './readout.css'

export function Readouts({ children }: { children: ReactNode }) {
  return <div className="readouts">{children}</div>
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
}

/** A figure with its label. With `onOpen` the figure is a button. */
export function Readout({ label, figure, note, spark, opens, onOpen }: ReadoutProps) {
  return (
    <div className="readout">
      <span className="label">{label}</span>
      <div className="readout-figure">
        {onOpen === undefined ? (
          <strong>{figure}</strong>
        ) : (
          <button type="button" title={opens} onClick={onOpen}>
            <strong>{figure}</strong>
            <span className="sr-only">{opens}</span>
          </button>
        )}
        {spark}
      </div>
      <p>{note}</p>
    </div>
  )
}
