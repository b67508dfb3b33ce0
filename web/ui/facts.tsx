import type { ReactNode } from 'react'
import './facts.css'

/** Terms and what they are: `<Facts><Fact term="Name">Birchwood</Fact></Facts>`. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="facts">{children}</dl>
}

/** Leaves itself out when there is nothing to say. */
export function Fact({ term, children }: { term: string; children: ReactNode }) {
  if (children === null || children === '' || children === undefined) return null
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}
