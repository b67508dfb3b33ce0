import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { SummaryTotal } from '#contracts/admin/summary'
import './total-link.css'

/** A total of the dashboard. It opens the events that it is made of. */
export function TotalLink({ total, children }: { total: SummaryTotal; children: ReactNode }) {
  return (
    <Link className="total-link" to={`/admin/events?total=${total}`} title="Show the events">
      {children}
    </Link>
  )
}
