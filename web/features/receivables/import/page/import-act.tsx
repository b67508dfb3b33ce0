import { useState } from 'react'
import { useListImportsQuery, type MissingInvoices } from '../../../../api/imports-api.ts'
import { formatCount } from '../../../../lib/money.ts'
import { Button } from '../../../../ui/button.tsx'
import { money } from '../../shared/amounts.ts'
import { clockTime, countOf, instantDay } from '../../shared/days.ts'
import { storedRows } from './stored-rows.ts'
import type { ImportView } from './import-view.ts'
import type { OpenFile } from './use-import-file.ts'

interface ImportActProps {
  readonly file: OpenFile
  readonly view: ImportView
  /** How many rows are sent. */
  readonly rows: number
  readonly missing: MissingInvoices | null
  /** The check is that of the present answers. */
  readonly isReady: boolean
  readonly timeZone: string
  readonly onImport: (isComplete: boolean, begun: string | null) => void
}

/** Stores the rows, or continues a started import of the same file. */
export function ImportAct(props: ImportActProps) {
  const { file, view, rows, missing, isReady, timeZone, onImport } = props
  const [isComplete, setComplete] = useState(false)
  const { data: imports } = useListImportsQuery({ page: 1, pageSize: 100 })
  const begun = imports?.items.find(
    ({ standing, sha256, rows: ofImport }) =>
      standing === 'running' && sha256 === file.sha256 && ofImport === rows,
  )
  const { counts } = view
  const changing = counts.new + counts.changed
  const marks = isComplete ? (missing?.total ?? 0) : 0

  if (file.sha256 === null)
    return (
      <div className="import-act">
        <p>
          This page was not opened by https, so the browser cannot identify the file. Open the page
          by https to import it.
        </p>
      </div>
    )
  return (
    <div className="import-act">
      {missing !== null && missing.total > 0 && (
        <Complete missing={missing} isChecked={isComplete} onChange={setComplete} />
      )}
      {begun !== undefined && (
        <div className="import-begun" role="status">
          <p>
            An import of this file started on {instantDay(begun.startedAt, timeZone)},{' '}
            {clockTime(begun.startedAt, timeZone)}, and did not end.{' '}
            {formatCount(storedRows(begun))} of {countOf(begun.rows, 'row')} are stored. No row is
            stored twice.
          </p>
        </div>
      )}
      <div className="import-buttons">
        {begun !== undefined && (
          <Button size="md" busy={!isReady} onClick={() => onImport(isComplete, begun.importId)}>
            Continue the import
          </Button>
        )}
        {begun === undefined && changing + marks > 0 && (
          <Button size="md" busy={!isReady} onClick={() => onImport(isComplete, null)}>
            {changing > 0
              ? `Import ${countOf(changing, 'row')}`
              : `Mark ${countOf(marks, 'invoice')} as paid`}
          </Button>
        )}
        <p>{begun === undefined && sentence(counts, marks)}</p>
      </div>
    </div>
  )
}

function sentence(counts: ImportView['counts'], marks: number): string {
  const parts = [
    counts.new > 0 && `${countOf(counts.new, 'invoice is', 'invoices are')} added`,
    counts.changed > 0 &&
      (counts.new > 0
        ? `${formatCount(counts.changed)} changed`
        : `${countOf(counts.changed, 'invoice is', 'invoices are')} changed`),
    marks > 0 && `${formatCount(marks)} marked as paid`,
  ].filter(Boolean)
  if (parts.length > 0) return `${parts.join(', ')}. The same file again changes nothing.`
  if (counts.unchanged > 0)
    return `Nothing to import: ${countOf(counts.unchanged, 'row is', 'rows are')} stored as in the file.`
  return 'Nothing to import: no row is accepted.'
}

const named = 10

function Complete({
  missing,
  isChecked,
  onChange,
}: {
  missing: MissingInvoices
  isChecked: boolean
  onChange: (isChecked: boolean) => void
}) {
  const { total, items } = missing
  const shown = items.slice(0, named)
  return (
    <label className="import-complete">
      <input
        type="checkbox"
        checked={isChecked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>
        This file is complete. Mark the {total === 1 ? '' : `${formatCount(total)} `}open{' '}
        {total === 1 ? 'invoice' : 'invoices'} that it no longer contains as paid:{' '}
        {shown.map(({ receivableId, number, open, currency }, index) => (
          <span key={receivableId}>
            <span className="mono">{number}</span> {money(open, currency)}
            {index < shown.length - 1 ? ', ' : ''}
          </span>
        ))}
        {total > shown.length && ` and ${formatCount(total - shown.length)} more`}.
      </span>
    </label>
  )
}
