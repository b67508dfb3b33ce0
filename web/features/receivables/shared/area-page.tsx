import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { brand } from '#contracts/brand/brand'
import type { ReceivablesOverview } from '#contracts/receivables/overview'
import { ofNewerRelease } from '../../../lib/of-newer-release.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { CustomerPage } from '../../../ui/customer-page.tsx'
import { useRefreshOnFocus } from './use-refresh-on-focus.ts'
import './area-page.css'

interface AreaPageProps {
  /** The title of the tab. */
  readonly title: string
  /** Within a sentence: 'your invoices'. */
  readonly goal: string
  readonly children: ReactNode
}

/** The frame of a page of the receivables. */
export function AreaPage({ title, goal, children }: AreaPageProps) {
  return (
    <CustomerPage title={title} goal={goal} visitorsGo="home">
      {() => <Area>{children}</Area>}
    </CustomerPage>
  )
}

function Area({ children }: { children: ReactNode }) {
  useRefreshOnFocus()
  return <div className="rcv">{children}</div>
}

type Access = ReceivablesOverview['access']

/** Above the head of a page: why nothing can be changed. */
export function AccessBanner({ access }: { access: Access | undefined }) {
  if (access === undefined || access.mayAct) return null
  return (
    <div className="rcv-banner" role="status">
      <p>{access.sentence}</p>
      <WayOut reason={access.reason} />
    </div>
  )
}

function WayOut({ reason }: { reason: Access['reason'] }) {
  switch (reason) {
    case 'no-plan':
      return (
        // This document may not load the script of the payment provider.
        <Link className={buttonClass({ look: 'go' })} to="/pricing" reloadDocument>
          See the plan
        </Link>
      )
    case 'plan-paused':
      return (
        <Link className={buttonClass({ look: 'line' })} to="/purchases">
          Manage the plan
        </Link>
      )
    case 'blocked':
      return (
        <a className={buttonClass({ look: 'line' })} href={`mailto:${brand.supportEmail}`}>
          Contact support
        </a>
      )
    case null:
      return null
    default:
      // The sentence says what to do.
      ofNewerRelease(reason)
      return null
  }
}
