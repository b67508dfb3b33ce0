import type { ReactNode } from 'react'
import './page-head.css'

interface PageHeadProps {
  readonly title: string
  /** Beside the title: the status of what the page is about. */
  readonly chip?: ReactNode
  /** The text below the title. */
  readonly note?: ReactNode
  /** The content at the right of the title. */
  readonly actions?: ReactNode
}

/** The heading of a customer's page. */
export function PageHead({ title, chip, note, actions }: PageHeadProps) {
  return (
    <header className="page-head">
      <div>
        {chip ? (
          <div className="page-title">
            <h1>{title}</h1>
            {chip}
          </div>
        ) : (
          <h1>{title}</h1>
        )}
        {note !== undefined && <p>{note}</p>}
      </div>
      {actions}
    </header>
  )
}
