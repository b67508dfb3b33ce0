import { useId, type ReactNode } from 'react'
import './panel.css'

interface PanelProps {
  readonly title: string
  /** The content at the right of the title. */
  readonly actions?: ReactNode
  /** False for a table or list that fills the panel to its edges. */
  readonly padded?: boolean
  readonly children: ReactNode
}

/** Do not nest panels; divide the content of a panel with rules. */
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
