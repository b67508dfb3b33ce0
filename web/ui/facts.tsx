import type { ReactNode } from 'react'
import './facts.css'

/** A list of terms and values: `<Facts><Fact term="Name">Birchwood</Fact></Facts>`. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="facts">{children}</dl>
}

/** Renders nothing without a value. */
export function Fact({ term, children }: { term: string; children: ReactNode }) {
  if (children === null || children === '' || children === undefined) return null
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}
