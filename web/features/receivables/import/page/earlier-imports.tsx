import { useState } from 'react'
import type { ImportsPage } from '#contracts/receivables/imports'
import { useListImportsQuery } from '../../../../api/imports-api.ts'
import { ofNewerRelease } from '../../../../lib/of-newer-release.ts'
import { formatCount } from '../../../../lib/money.ts'
import { Button } from '../../../../ui/button.tsx'
import { Chip } from '../../../../ui/chip.tsx'
import type { StatusLabel } from '../../../../ui/status-chip.tsx'
import { ActsHead } from '../../list/acts-head.tsx'
import { Pager } from '../../list/pager.tsx'
import { clockTime, countOf, instantDay } from '../../shared/days.ts'
import { LoadFailure } from '../../shared/load-failure.tsx'
import { LoadingRows } from '../../shared/loading.tsx'
import { storedRows } from './stored-rows.ts'
import { UndoDialog } from './undo-dialog.tsx'
import '../../list/list.css'
import './earlier-imports.css'

type Import = ImportsPage['items'][number]

interface EarlierImportsProps {
  readonly timeZone: string
  readonly mayAct: boolean
}

const undoIsCheckedEveryMs = 2_000

/** The imports of the merchant, newest first, each with what became of it. */
export function EarlierImports({ timeZone, mayAct }: EarlierImportsProps) {
  const [query, setQuery] = useState({ page: 1, pageSize: 10 })
  const [undoes, setUndoes] = useState<Import | null>(null)
  const [isUndoing, setUndoing] = useState(false)
  const list = useListImportsQuery(query, {
    pollingInterval: isUndoing ? undoIsCheckedEveryMs : 0,
    skipPollingIfUnfocused: true,
  })
  const { data } = list
  const hasUndoing = data?.items.some(({ standing }) => standing === 'undoing') ?? false
  if (hasUndoing !== isUndoing) setUndoing(hasUndoing)

  if (data?.total === 0 && query.page === 1) return null
  return (
    <section className="panel import-earlier" aria-labelledby="earlier-imports">
      <header>
        <h2 id="earlier-imports">Earlier imports</h2>
      </header>
      {data === undefined &&
        (list.isError ? (
          <LoadFailure
            what="your imports"
            error={list.error}
            retrying={list.isFetching}
            onRetry={() => void list.refetch()}
          />
        ) : (
          <LoadingRows what="your imports" rows={2} />
        ))}
      {data !== undefined && (
        <>
          <table className="rcv-table" role="table" aria-label="Earlier imports">
            <ActsHead titles={['File', 'Started', 'By', 'Outcome', 'Status']} />
            <tbody role="rowgroup">
              {data.items.map((item) => (
                <Row
                  key={item.importId}
                  item={item}
                  timeZone={timeZone}
                  onUndo={mayAct ? () => setUndoes(item) : null}
                />
              ))}
            </tbody>
          </table>
          <Pager page={data} onChange={(patch) => setQuery({ ...query, ...patch })} />
        </>
      )}
      {undoes !== null && (
        <UndoDialog
          summary={undoes}
          onClose={() => setUndoes(null)}
          onDone={() => setUndoes(null)}
        />
      )}
    </section>
  )
}

interface RowProps {
  readonly item: Import
  readonly timeZone: string
  readonly onUndo: (() => void) | null
}

function Row({ item, timeZone, onUndo }: RowProps) {
  const { fileName, startedAt, startedBy, standing } = item
  const { label, tone } = chipOf(standing)
  return (
    <tr role="row">
      <td role="cell" className="who">
        <b dir="auto">{fileName}</b>
      </td>
      <td role="cell" className="started keep">
        {instantDay(startedAt, timeZone)}, {clockTime(startedAt, timeZone)}
      </td>
      <td role="cell" className="by">
        <span className="by-word">By: </span>
        {byOf(startedBy)}
      </td>
      <td role="cell" className="outcome">
        {outcomeOf(item)}
      </td>
      <td role="cell" className="status">
        <Chip tone={tone}>{label}</Chip>
      </td>
      <td role="cell" className="act right">
        {onUndo !== null && (standing === 'finished' || standing === 'running') && (
          <Button look="link" aria-label={`Undo the import of ${fileName}`} onClick={onUndo}>
            Undo
          </Button>
        )}
      </td>
    </tr>
  )
}

function byOf(startedBy: Import['startedBy']): string {
  switch (startedBy) {
    case 'you':
      return 'You'
    case 'support':
      return 'Support'
    default:
      return ofNewerRelease(startedBy)
  }
}

function chipOf(standing: Import['standing']): StatusLabel {
  switch (standing) {
    case 'running':
      return { label: 'Not finished', tone: 'pending' }
    case 'finished':
      return { label: 'Finished', tone: 'active' }
    case 'undoing':
      return { label: 'Being undone', tone: 'pending' }
    case 'undone':
      return { label: 'Undone', tone: 'ended' }
    default:
      return { label: ofNewerRelease(standing), tone: 'ended' }
  }
}

function outcomeOf(item: Import): string {
  const { standing, counts, rows, missing } = item
  const parts = [
    counts.added > 0 && `${formatCount(counts.added)} added`,
    counts.changed > 0 && `${formatCount(counts.changed)} changed`,
    counts.unchanged > 0 && `${formatCount(counts.unchanged)} unchanged`,
    counts.refused > 0 && `${formatCount(counts.refused)} refused`,
    missing > 0 && `${formatCount(missing)} marked as paid`,
  ].filter(Boolean)
  const text = parts.length === 0 ? 'Nothing stored' : parts.join(', ')
  if (standing !== 'running') return text
  return `${formatCount(storedRows(item))} of ${countOf(rows, 'row')} stored. Choose the same file to continue.`
}
