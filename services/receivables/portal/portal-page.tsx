import { DisputePanels } from './dispute-panel.tsx'
import { InvoicesPanel } from './invoices-panel.tsx'
import { OtherWaysPanel } from './other-ways-panel.tsx'
import { OwedPanel } from './owed-panel.tsx'
import { PaidNowPanel } from './paid-now.tsx'
import { PaidPanel } from './paid-panel.tsx'
import { PayPanel, type Picked } from './pay-panel.tsx'
import { Frame } from './portal-frame.tsx'
import { saidId, type RefusedForm } from './portal-said.ts'
import type { PortalView } from './portal-view.ts'
import { PromisePanels } from './promise-panel.tsx'
import { QuestionsPanel } from './questions-panel.tsx'
import { ReachPanel } from './reach-panel.tsx'

/**
 * What a client owes a merchant, what it can do about it, and how it is reached. Works without
 * JavaScript. `said`: what the page announces; `refused`: the form that was not taken.
 */
export function PortalPage({
  view,
  said = null,
  refused = null,
  picked = 'all',
  disputed = null,
}: {
  readonly view: PortalView
  readonly said?: string | null
  readonly refused?: RefusedForm | null
  /** What is ticked at first. */
  readonly picked?: Picked
  /** The invoice that the form of a dispute has at first. */
  readonly disputed?: string | null
}) {
  return (
    <Frame merchant={view.merchant}>
      <main className="pay-main" data-opened={`/pay/${view.token}/opened`}>
        {said !== null && (
          <p className="pay-said" id={saidId} role="status" tabIndex={-1} dir="auto">
            {said}
          </p>
        )}
        {refused !== null && (
          <p className="pay-said pay-refused" id={saidId} role="alert" tabIndex={-1} dir="auto">
            {refused.sentence}
          </p>
        )}
        <div className="pay-column">
          <OwedPanel view={view} />
          {view.paid !== null && <PaidNowPanel view={view} paid={view.paid} />}
          {view.invoices.length > 0 &&
            (view.ways.isOnline ? (
              <PayPanel view={view} picked={picked} refused={refused} />
            ) : (
              <InvoicesPanel view={view} />
            ))}
          <OtherWaysPanel view={view} refused={refused} />
          <PaidPanel view={view} />
        </div>
        <div className="pay-column">
          <PromisePanels view={view} refused={refused} />
          <DisputePanels view={view} refused={refused} chosen={disputed} />
          <ReachPanel view={view} />
          <QuestionsPanel view={view} />
        </div>
      </main>
    </Frame>
  )
}
