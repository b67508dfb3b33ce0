import type { ReactNode } from 'react'
import './descriptions.css'

/**
 * A list of terms and values: `<Descriptions><Description
 * term="Name">Birchwood</Description></Descriptions>`.
 */
export function Descriptions({ children }: { children: ReactNode }) {
  return <dl className="descriptions">{children}</dl>
}

/** Renders nothing without a value. */
export function Description({ term, children }: { term: string; children: ReactNode }) {
  if (children === null || children === '' || children === undefined) return null
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}
