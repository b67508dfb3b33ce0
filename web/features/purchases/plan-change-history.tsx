import type { Instant } from '#contracts/instant'
import { useGetPlanChangesQuery } from '../../api/purchases-api.ts'
import { Panel } from '../../ui/panel.tsx'
import { PlanChanges } from '../../ui/plan-changes.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** A failed request shows an empty list, as the specification requires. */
export function PlanChangeHistory({ userId, now }: { userId: string; now: Instant }) {
  const { currentData, isLoading } = useGetPlanChangesQuery({ userId })
  const changes = currentData?.changes ?? []
  return (
    <Panel title="Plan Change History">
      {isLoading && <Skeleton height="54px" />}
      {!isLoading && changes.length === 0 && <p className="muted">No subscription changes found</p>}
      {changes.length > 0 && <PlanChanges changes={changes} now={now} />}
    </Panel>
  )
}
