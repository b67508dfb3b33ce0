import { useMemo, useState } from 'react'
import type { CheckedRow } from '#contracts/receivables/imports'
import { browser } from '../../../../lib/browser.ts'
import { newId } from '../../../../lib/new-id.ts'
import { formatCount } from '../../../../lib/money.ts'
import { Button } from '../../../../ui/button.tsx'
import { DownloadIcon } from '../../../../ui/table-icons.tsx'
import { FilterSegments } from '../../list/filter-segments.tsx'
import { sumsText } from '../../shared/amounts.ts'
import { countOf } from '../../shared/days.ts'
import { LoadFailure } from '../../shared/load-failure.tsx'
import type { ImportPlan } from '../run/run-import.ts'
import { useServerCheck } from '../run/use-server-check.ts'
import type { ReaderCalls } from '../worker/reader-messages.ts'
import { CheckTable } from './check-table.tsx'
import { ImportAct } from './import-act.tsx'
import {
  importView,
  refusedNumbers,
  sentRows,
  type CheckedFile,
  type ImportView,
  type RowAnswer,
} from './import-view.ts'
import { changesText, openOf, type ExpectedResult } from './result.ts'
import { Step } from './step.tsx'
import type { OpenFile } from './use-import-file.ts'
import { useMissingInvoices } from './use-missing-invoices.ts'
import './check-section.css'

const note = 'Each row against what is stored. The key is client and invoice number.'

interface CheckSectionProps {
  readonly file: OpenFile
  readonly fileCount: number
  readonly timeZone: string
  readonly refusedCsv: (byServer: ReaderCalls['refusedCsv']['given']) => Promise<string>
  /** `begun`: the import to continue, or null. */
  readonly onImport: (plan: ImportPlan, begun: string | null, expected: ExpectedResult) => void
}

/** Step 3: what becomes of each row, before anything is stored. */
export function CheckSection(props: CheckSectionProps) {
  const { checked } = props.file
  if (checked === null)
    return (
      <Step number={3} title="Check" note={note}>
        <p className="import-waits" role="status">
          Reading the rows…
        </p>
      </Step>
    )
  if (checked.kind !== 'checked')
    return (
      <Step number={3} title="Check" note={note}>
        <p className="import-waits">
          {checked.kind === 'asking'
            ? 'The check begins when the question about the columns is answered.'
            : 'The check begins when the required columns are chosen.'}
        </p>
      </Step>
    )
  return <Checked {...props} checked={checked} />
}

interface Answers {
  readonly of: OpenFile['choices']
  readonly rows: ReadonlyMap<number, RowAnswer>
}

const noAnswers: ReadonlyMap<number, RowAnswer> = new Map()

function Checked({
  file,
  fileCount,
  timeZone,
  refusedCsv,
  onImport,
  checked,
}: CheckSectionProps & { readonly checked: CheckedFile }) {
  // Other columns make other rows, to which the answers do not belong.
  const [given, setGiven] = useState<Answers>({
    of: file.choices,
    rows: noAnswers,
  })
  const answers = given.of === file.choices ? given.rows : noAnswers
  const sent = useMemo(() => sentRows(checked, answers), [checked, answers])
  const { results, checking, error, retry } = useServerCheck(sent, fileCount)
  const view = useMemo(
    () => (results === null ? null : importView(checked, sent, { results, answers })),
    [checked, sent, results, answers],
  )
  const isCurrent = view !== null && checking === null
  const missing = useMissingInvoices(isCurrent ? view : null)

  if (error !== null)
    return (
      <Step number={3} title="Check" note={note} isCurrent>
        <LoadFailure what="the check" error={error} retrying={false} onRetry={retry} />
      </Step>
    )
  if (view === null)
    return (
      <Step number={3} title="Check" note={note} isCurrent>
        <p className="import-waits" role="status">
          Checking the rows…
        </p>
        {checking !== null && (
          <p className="import-waits" aria-hidden="true">
            {formatCount(checking.done)} of {countOf(checking.total, 'row')}
          </p>
        )}
      </Step>
    )

  function begin(isComplete: boolean, begun: string | null): void {
    const { name, size, sha256 } = file
    if (view === null || sha256 === null) return
    const plan = {
      key: newId(),
      file: { fileName: name.slice(0, 255), size, sha256 },
      rows: sent,
      finish: { isComplete, keepNumbers: [...refusedNumbers(view.rows)] },
    }
    onImport(plan, begun, view)
  }

  return (
    <Step number={3} title="Check" note={note} isCurrent>
      <div className={isCurrent ? '' : 'rcv-stale'} aria-busy={!isCurrent}>
        <Counts view={view} />
        <Notes checked={checked} />
        <Rows
          view={view}
          fileName={file.name}
          refusedCsv={refusedCsv}
          answers={answers}
          onAnswer={(row, answer) =>
            setGiven({
              of: file.choices,
              rows: new Map(answers).set(row, answer),
            })
          }
        />
      </div>
      <ImportAct
        file={file}
        view={view}
        rows={sent.length}
        missing={missing}
        isReady={isCurrent}
        timeZone={timeZone}
        onImport={begin}
      />
    </Step>
  )
}

function Counts({ view: { counts, newOpen, unchangedOpen, changes } }: { view: ImportView }) {
  const refused = counts.refused + counts.asked
  return (
    <div className="import-counts">
      <div>
        <span className="label">New</span>
        <strong>{formatCount(counts.new)}</strong>
        <p>{counts.new > 0 && `${sumsText(newOpen, openOf)} open`}</p>
      </div>
      <div>
        <span className="label">Changed</span>
        <strong>{formatCount(counts.changed)}</strong>
        <p>{changesText(changes)}</p>
      </div>
      <div>
        <span className="label">Unchanged</span>
        <strong>{formatCount(counts.unchanged)}</strong>
        <p>
          {counts.unchanged > 0 &&
            (unchangedOpen === null
              ? 'Nothing happens to them'
              : `${sumsText(unchangedOpen, openOf)} open`)}
        </p>
      </div>
      <div>
        <span className="label">Refused</span>
        <strong>{formatCount(refused)}</strong>
        <p>
          {refused > 0 && 'Not imported'}
          {counts.asked > 0 &&
            `; ${countOf(counts.asked, 'row waits', 'rows wait')} for your answer`}
        </p>
      </div>
    </div>
  )
}

/** What concerns the whole file: titles and totals are no invoices. */
function Notes({ checked: { warnings, leftOut } }: { checked: CheckedFile }) {
  const totals = leftOut.filter(({ why }) => why === 'total').length
  const headings = leftOut.length - totals
  const parts = [
    headings > 0 && countOf(headings, 'heading'),
    totals > 0 && countOf(totals, 'total'),
  ].filter(Boolean)
  if (parts.length === 0 && warnings.length === 0) return null
  return (
    <div className="import-notes">
      {warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
      {parts.length > 0 && (
        <p>
          {parts.join(' and ')} of the file {leftOut.length === 1 ? 'is' : 'are'} no invoice
          {leftOut.length === 1 ? '' : 's'}, and left out.
        </p>
      )}
    </div>
  )
}

const filters = [
  { value: 'all', label: 'All' },
  { value: 'new', label: 'New' },
  { value: 'changed', label: 'Changed' },
  { value: 'unchanged', label: 'Unchanged' },
  { value: 'refused', label: 'Refused' },
] as const
type Filter = (typeof filters)[number]['value']

const firstRows = 20
const moreRows = 200

interface RowsProps {
  readonly view: ImportView
  readonly fileName: string
  readonly refusedCsv: CheckSectionProps['refusedCsv']
  readonly answers: ReadonlyMap<number, RowAnswer>
  readonly onAnswer: (row: number, answer: RowAnswer) => void
}

function Rows({ view, fileName, refusedCsv, answers, onAnswer }: RowsProps) {
  const [filter, setFilter] = useState<Filter>('all')
  const [max, setMax] = useState(firstRows)
  const { counts } = view
  const refused = counts.refused + counts.asked
  const rows = view.rows.filter(({ standing }) => {
    if (filter === 'all') return true
    return filter === (standing === 'asked' ? 'refused' : standing)
  })
  const shown = rows.slice(0, max)
  const left = rows.length - shown.length

  async function save(): Promise<void> {
    const byServer = view.rows.flatMap((row) =>
      row.by === 'server' && (row.standing === 'refused' || row.standing === 'asked')
        ? [{ row: row.row, reason: reasonOf(row.result) }]
        : [],
    )
    const text = await refusedCsv(byServer)
    const name = fileName.replace(/\.\w+$/, '')
    browser.saveFile(new Blob([text], { type: 'text/csv' }), `${name} refused rows.csv`)
  }

  return (
    <>
      <div className="rcv-toolbar import-toolbar">
        <FilterSegments
          filters={filters}
          value={filter}
          counts={{ ...counts, all: view.rows.length, refused }}
          onChange={(value) => {
            setFilter(value)
            setMax(firstRows)
          }}
        />
        {refused > 0 && (
          <Button className="rcv-export" look="line" onClick={() => void save()}>
            <DownloadIcon />
            Refused rows as CSV
          </Button>
        )}
      </div>
      <CheckTable rows={shown} answers={answers} onAnswer={onAnswer} />
      {rows.length === 0 ? (
        <p className="import-foot">No row is {filter === 'all' ? 'in the file' : filter}.</p>
      ) : (
        <p className="import-foot">
          1 to {formatCount(shown.length)} of {formatCount(rows.length)}
          {filter === 'all' && refused > 0 ? ', refused first' : ''}.{' '}
          {left > 0 && (
            <Button look="link" onClick={() => setMax(max + moreRows)}>
              Show {formatCount(Math.min(left, moreRows))} more
            </Button>
          )}
        </p>
      )}
    </>
  )
}

const reasonOf = ({ sentence }: CheckedRow) => sentence ?? 'The server refused the row.'
