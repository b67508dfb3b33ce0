import { useListRefundProposalsQuery } from '../../../api/refund-proposals-api.ts'
import { useGetSessionQuery } from '../../../api/session-api.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { FetchFailure } from '../fetch-failure.tsx'
import { AuditHead, AuditPage } from '../history/audit-page.tsx'
import { May } from '../may.tsx'
import { NotAllowed } from '../not-allowed.tsx'
import { ProposalsTable } from './proposals-table.tsx'

const trail = { above: 'Dashboard', here: 'Approvals' }

/** The refunds that wait for a second administrator. */
export function RefundProposalsPage() {
  return (
    <AuditPage title="Approvals">
      <NotAllowed right="refund" />
      <May do="refund">
        <Proposals />
      </May>
    </AuditPage>
  )
}

function Proposals() {
  const { data, isError, error, isFetching, refetch } = useListRefundProposalsQuery(undefined, {
    refetchOnMountOrArgChange: true,
  })
  const ownId = useGetSessionQuery().data?.administrator?.id
  return (
    <>
      <AuditHead
        trail={trail}
        title="Waiting for approval"
        note="One administrator proposes a refund, and another one approves it. After 7 days it must be proposed again."
      />
      <section className="panel" aria-label="Waiting for approval">
        {isError ? (
          <FetchFailure
            what="proposed refunds"
            error={error}
            retrying={isFetching}
            onRetry={() => void refetch()}
          />
        ) : data === undefined ? (
          <div className="panel-body">
            <p className="sr-only" role="status">
              Loading proposed refunds...
            </p>
            <Skeleton height="160px" />
          </div>
        ) : data.items.length === 0 ? (
          <p className="panel-body">No refund waits for approval.</p>
        ) : (
          <ProposalsTable proposals={data.items} ownId={ownId} />
        )}
      </section>
    </>
  )
}
