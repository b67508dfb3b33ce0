import { InvoicesPanel } from './invoices-panel.tsx'
import { OwedPanel } from './owed-panel.tsx'
import { PaidPanel } from './paid-panel.tsx'
import { Frame } from './portal-frame.tsx'
import type { PortalView } from './portal-view.ts'
import { QuestionsPanel } from './questions-panel.tsx'
import { ReachPanel } from './reach-panel.tsx'

/** What a client owes a merchant, and how it is reached. Works without JavaScript. */
export function PortalPage({ view }: { readonly view: PortalView }) {
  return (
    <Frame merchant={view.merchant}>
      <main className="pay-main" data-opened={`/pay/${view.token}/opened`}>
        <div className="pay-column">
          <OwedPanel view={view} />
          {view.invoices.length > 0 && <InvoicesPanel view={view} />}
          <PaidPanel view={view} />
        </div>
        <div className="pay-column">
          <ReachPanel view={view} />
          <QuestionsPanel view={view} />
        </div>
      </main>
    </Frame>
  )
}
