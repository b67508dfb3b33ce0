import type { ReactNode } from 'react'
import { useListExportProposalsQuery } from '../../../api/export-proposals-api.ts'
import { useListRefundProposalsQuery } from '../../../api/refund-proposals-api.ts'
import { useGetSessionQuery } from '../../../api/session-api.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { FetchFailure } from '../fetch-failure.tsx'
import { AuditHead, AuditPage } from '../history/audit-page.tsx'
import { NotAllowed } from '../not-allowed.tsx'
import { useMay } from '../use-may.ts'
import { ExportTable } from './export-table.tsx'
import { RefundTable } from './refund-table.tsx'
import './approvals.css'

const trail = { above: 'Dashboard', here: 'Approvals' }

/** What waits for a second administrator: refunds and exports. */
export function ApprovalsPage() {
  const [refunds, exports] = [useMay('refund'), useMay('export')]
  const mayDecide = refunds || exports
  return (
    <AuditPage title="Approvals">
      {mayDecide ? (
        <AuditHead
          trail={trail}
          title="Waiting for approval"
          note="One administrator proposes, and another one approves. After 7 days it must be proposed again."
        />
      ) : (
        <NotAllowed right="refund" />
      )}
      {refunds && <Refunds />}
      {exports && <Exports />}
    </AuditPage>
  )
}

function Refunds() {
  const list = useListRefundProposalsQuery(undefined, { refetchOnMountOrArgChange: true })
  const ownId = useGetSessionQuery().data?.administrator?.id
  return (
    <Section title="Refunds" what="proposed refunds" none="No refund waits for approval." {...list}>
      {(items) => <RefundTable proposals={items} ownId={ownId} />}
    </Section>
  )
}

function Exports() {
  const list = useListExportProposalsQuery(undefined, { refetchOnMountOrArgChange: true })
  const ownId = useGetSessionQuery().data?.administrator?.id
  return (
    <Section title="Exports" what="proposed exports" none="No export waits for approval." {...list}>
      {(items) => <ExportTable proposals={items} ownId={ownId} />}
    </Section>
  )
}

interface SectionProps<Item> {
  readonly title: string
  /** The name of the items in the middle of a sentence. */
  readonly what: string
  readonly none: string
  readonly data?: { readonly items: readonly Item[] } | undefined
  readonly isError: boolean
  readonly error?: unknown
  readonly isFetching: boolean
  readonly refetch: () => unknown
  readonly children: (items: readonly Item[]) => ReactNode
}

function Section<Item>({
  title,
  what,
  none,
  data,
  isError,
  error,
  isFetching,
  refetch,
  children,
}: SectionProps<Item>) {
  return (
    <section className="panel approvals" aria-label={title}>
      <h2>{title}</h2>
      {isError ? (
        <FetchFailure
          what={what}
          error={error}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      ) : data === undefined ? (
        <div className="panel-body">
          <p className="sr-only" role="status">
            Loading {what}...
          </p>
          <Skeleton height="120px" />
        </div>
      ) : data.items.length === 0 ? (
        <p className="panel-body muted">{none}</p>
      ) : (
        children(data.items)
      )}
    </section>
  )
}
