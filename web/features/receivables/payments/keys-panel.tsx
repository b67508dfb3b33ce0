import { useState } from 'react'
import { useListApiKeysQuery } from '../../../api/api-keys-api.ts'
import { Button } from '../../../ui/button.tsx'
import { LoadFailure } from '../shared/load-failure.tsx'
import { LoadingRows } from '../shared/loading.tsx'
import { KeyTable } from './key-table.tsx'
import { MakeKeyDialog } from './make-key-dialog.tsx'
import { RevokeKeyDialog, type RevokedKey } from './revoke-key-dialog.tsx'
import '../list/list.css'

/** The keys of the merchant's programs. */
export function KeysPanel({ timeZone }: { readonly timeZone: string }) {
  const list = useListApiKeysQuery()
  const [isMaking, setMaking] = useState(false)
  const [revokes, setRevokes] = useState<RevokedKey | null>(null)
  const { data } = list
  return (
    <section className="panel" aria-labelledby="keys">
      <header>
        <h2 id="keys">Keys for programs</h2>
        {data?.access.mayAct === true && (
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
        <KeyTable keys={data.items} timeZone={timeZone} onRevoke={setRevokes} />
      )}
      {isMaking && <MakeKeyDialog onClose={() => setMaking(false)} />}
      {revokes !== null && <RevokeKeyDialog revokes={revokes} onClose={() => setRevokes(null)} />}
    </section>
  )
}
