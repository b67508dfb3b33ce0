import { useEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import type { ReportName } from '#contracts/finance/report-columns'
import { reportsInOrder } from './view.ts'
import '../link-tabs.css'

const names: Readonly<Record<ReportName, string>> = {
  revenue: 'Revenue',
  mrr: 'MRR',
  subscriptions: 'Subscriptions',
  retention: 'Retention',
  recognized: 'Recognized',
  'failed-payments': 'Failed payments',
  refunds: 'Refunds',
  'trial-balance': 'Trial balance',
  journal: 'Journal',
  adjustments: 'Adjustments',
}

interface ReportNavProps {
  readonly open: ReportName
  readonly hrefOf: (report: ReportName) => string
}

/** The reports as the tabs of the dashboard look. Each is a link, so that it can be shared. */
export function ReportNav({ open, hrefOf }: ReportNavProps) {
  const nav = useRef<HTMLElement>(null)
  // On a phone the open report can be beside the window.
  useEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>('[aria-current]')
    if (nav.current && link) nav.current.scrollLeft = link.offsetLeft - 16
  }, [open])
  return (
    <nav ref={nav} className="link-tabs" aria-label="Reports">
      <ul>
        {reportsInOrder.map((name) => (
          <li key={name}>
            <Link
              to={hrefOf(name)}
              aria-current={name === open ? 'page' : undefined}
              preventScrollReset
            >
              {names[name]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
