import type { ReactNode } from 'react'
import './notice.css'

/** What to know before the form below it is filled in, such as why a login is needed. */
export function Notice({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p className="notice" id={id}>
      {children}
    </p>
  )
}
