import { useId, type ReactNode } from 'react'
import './panel.css'

interface PanelProps {
  readonly title: string
  /** Beside the title, at the right. */
  readonly actions?: ReactNode
  /** False for a table or list that reaches the panel's edges. */
  readonly padded?: boolean
  readonly children: ReactNode
}

/** Panels do not nest; inside one, divide with rules. */
export function Panel({ title, actions, padded = true, children }: PanelProps) {
  const id = useId()
  return (
    <section className="panel" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {actions}
      </header>
      {padded ? <div className="panel-body">{children}</div> : children}
    </section>
  )
}
