import { useState } from 'react'
import { useListApiKeysQuery } from '../../../api/api-keys-api.ts'
import { useGetReceivablesOverviewQuery } from '../../../api/receivables-api.ts'
import { Button } from '../../../ui/button.tsx'
import { PageHead } from '../../../ui/page-head.tsx'
import { AccessBanner, AreaPage } from '../shared/area-page.tsx'
import { LoadFailure } from '../shared/load-failure.tsx'
import { LoadingRows } from '../shared/loading.tsx'
import { KeyTable } from './key-table.tsx'
import { MakeKeyDialog } from './make-key-dialog.tsx'
import { RevokeKeyDialog, type RevokedKey } from './revoke-key-dialog.tsx'
import '../list/list.css'
import './payments-page.css'

export function PaymentsPage() {
  return (
    <AreaPage title="Payments" goal="your keys">
      <Payments />
    </AreaPage>
  )
}

/** The keys of the merchant's programs. */
function Payments() {
  const list = useListApiKeysQuery()
  const { data: overview } = useGetReceivablesOverviewQuery({})
  const [isMaking, setMaking] = useState(false)
  const [revokes, setRevokes] = useState<RevokedKey | null>(null)
  const { data } = list
  const mayAct = data?.access.mayAct ?? false
  return (
    <>
      <AccessBanner access={data?.access} />
      <PageHead title="Payments" />
      <section className="panel" aria-labelledby="keys">
        <header>
          <h2 id="keys">Keys for programs</h2>
          {mayAct && (
            <Button look="line" onClick={() => setMaking(true)}>
              Make a key
            </Button>
          )}
        </header>
        <p className="keys-intro">
          With a key, a program of yours adds and changes invoices here.{' '}
          <a href="/api/docs">API documentation</a>
        </p>
        {data === undefined &&
          (list.isError ? (
            <LoadFailure
              what="your keys"
              error={list.error}
              retrying={list.isFetching}
              onRetry={() => void list.refetch()}
            />
          ) : (
            <LoadingRows what="your keys" rows={2} />
          ))}
        {data !== undefined && (
          <KeyTable
            keys={data.items}
            timeZone={overview?.merchant.timeZone ?? 'UTC'}
            onRevoke={setRevokes}
          />
        )}
      </section>
      {isMaking && <MakeKeyDialog onClose={() => setMaking(false)} />}
      {revokes !== null && <RevokeKeyDialog revokes={revokes} onClose={() => setRevokes(null)} />}
    </>
  )
}
