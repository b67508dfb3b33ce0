import { useListDeadLettersQuery } from '../../../api/dead-letters-api.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { FetchFailure } from '../fetch-failure.tsx'
import { AuditHead, AuditPage } from '../history/audit-page.tsx'
import { NotAllowed } from '../not-allowed.tsx'
import { useMay } from '../use-may.ts'
import { UnsentTable } from './unsent-table.tsx'
import './unsent.css'

const trail = { above: 'Dashboard', here: 'Not sent' }

/** The mails and texts that were not sent and are not tried again. */
export function UnsentPage() {
  const mayRead = useMay('read')
  return (
    <AuditPage title="Not sent">
      {mayRead ? (
        <>
          <AuditHead
            trail={trail}
            title="Messages that were not sent"
            note="The last try failed, or the server refused the message for good. Nothing happens to them until a person decides."
          />
          <List />
        </>
      ) : (
        <NotAllowed right="read" />
      )}
    </AuditPage>
  )
}

function List() {
  const { data, isError, error, isFetching, refetch } = useListDeadLettersQuery(undefined, {
    refetchOnMountOrArgChange: true,
  })
  return (
    <section className="panel" aria-label="Messages that were not sent">
      {isError ? (
        <FetchFailure
          what="the messages that were not sent"
          error={error}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      ) : data === undefined ? (
        <div className="panel-body">
          <p className="sr-only" role="status">
            Loading the messages that were not sent...
          </p>
          <Skeleton height="120px" />
        </div>
      ) : data.items.length === 0 ? (
        <p className="panel-body muted">Every message was sent, or is still being tried.</p>
      ) : (
        <>
          <UnsentTable items={data.items} />
          {data.has_more && (
            <p className="panel-body muted">
              These are the oldest {data.items.length}. An operator retries all of them with billing
              notifications retry --all.
            </p>
          )}
        </>
      )}
    </section>
  )
}
