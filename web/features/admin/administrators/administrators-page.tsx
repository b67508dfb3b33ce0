import { useListAdministratorsQuery } from '../../../api/administrators-api.ts'
import { useGetSessionQuery } from '../../../api/session-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { FetchFailure } from '../fetch-failure.tsx'
import { AuditHead, AuditPage } from '../history/audit-page.tsx'
import { May } from '../may.tsx'
import { NotAllowed } from '../not-allowed.tsx'
import { usePageDialog } from '../page-dialogs.tsx'
import { lazyDialog } from '../tabs/lazy-dialog.tsx'
import { AdministratorsTable } from './administrators-table.tsx'
import './administrators-page.css'

const { Dialog: AddDialog, usePrepared } = lazyDialog(
  async () => (await import('./add-dialog.tsx')).AddDialog,
)

const trail = { above: 'Dashboard', here: 'Administrators' }

/** Who administers the product, and what owners change about it. */
export function AdministratorsPage() {
  return (
    <AuditPage title="Administrators">
      <NotAllowed right="administrators" />
      <May do="administrators">
        <Administrators />
      </May>
    </AuditPage>
  )
}

function Administrators() {
  const { data, isError, error, isFetching, refetch } = useListAdministratorsQuery(undefined, {
    refetchOnMountOrArgChange: true,
  })
  const session = useGetSessionQuery()
  const showDialog = usePageDialog()
  usePrepared()
  const isNamed = session.data?.administrator?.name != null
  return (
    <>
      <AuditHead
        trail={trail}
        title="Administrators"
        note="A changed role counts at once. An ended person is signed out at once, on every device."
      >
        {isNamed && (
          <Button onClick={() => showDialog((close) => <AddDialog onClose={close} />)}>
            Add administrator
          </Button>
        )}
      </AuditHead>
      <section className="panel administrators" aria-label="Administrators">
        {isError ? (
          <FetchFailure
            what="administrators"
            error={error}
            retrying={isFetching}
            onRetry={() => void refetch()}
          />
        ) : data === undefined ? (
          <div className="panel-body">
            <p className="sr-only" role="status">
              Loading administrators...
            </p>
            <Skeleton height="160px" />
          </div>
        ) : data.items.length === 0 ? (
          <NoneNamed />
        ) : (
          <AdministratorsTable people={data.items} ownId={session.data?.administrator?.id} />
        )}
      </section>
    </>
  )
}

/** The shared password names no person, so only the operator adds the first owner. */
function NoneNamed() {
  return (
    <div className="panel-body administrators-none">
      <p>
        <b>No administrator is named yet.</b> Everyone who knows the shared password is signed in as
        an owner, and the history cannot say who did something.
      </p>
      <p>
        The first owner is added on the server, because the shared password names no person. All
        sessions with the shared password then end, and this page lets owners add the others:
      </p>
      <pre className="mono">
        npm run billing -- admins add ada@example.com --name "Ada Lind" --role owner
      </pre>
    </div>
  )
}
