import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** Placeholder with the layout of the page while its data loads. */
export function PurchasesSkeleton() {
  return (
    <>
      <p className="sr-only" role="status">
        Loading your purchases...
      </p>
      <div className="purchases-grid" aria-hidden="true">
        <div className="purchases-plan">
          <Panel title="Active Plan">
            <Skeleton width="180px" height="28px" />
            <div className="skeleton-gap" />
            <Skeleton width="72px" height="20px" />
            <div className="skeleton-gap-wide" />
            <Skeleton height="26px" />
            <div className="skeleton-gap-wide" />
            <Skeleton height="72px" />
          </Panel>
        </div>
        <div className="purchases-company">
          <Panel title="Company Information">
            <Lines count={7} height="20px" />
          </Panel>
        </div>
        <div className="purchases-money">
          <Panel title="Transaction History">
            <Lines count={4} height="36px" />
          </Panel>
        </div>
        <div className="purchases-changes">
          <Panel title="Plan Change History">
            <Lines count={2} height="36px" />
          </Panel>
        </div>
      </div>
    </>
  )
}

function Lines({ count, height }: { count: number; height: string }) {
  return (
    <div className="skeleton-lines">
      {Array.from({ length: count }, (_, line) => (
        <Skeleton key={line} height={height} />
      ))}
    </div>
  )
}
