import { useRef, useState, type DragEvent } from 'react'
import type { ReceivablesOverview } from '#contracts/receivables/overview'
import { Button } from '../../../../ui/button.tsx'
import { countOf } from '../../shared/days.ts'
import { seconds } from './seconds.ts'
import { Step } from './step.tsx'
import type { FileState, OpenFile } from './use-import-file.ts'
import './file-section.css'

interface FileSectionProps {
  readonly state: FileState
  readonly access: ReceivablesOverview['access']
  readonly onChoose: (file: File) => void
  readonly onSheet: (sheet: number) => void
}

/** Step 1: the file is dropped or chosen. Another file takes its place. */
export function FileSection({ state, access, onChoose, onSheet }: FileSectionProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)

  function drop(event: DragEvent): void {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file !== undefined && access.mayAct) onChoose(file)
  }

  return (
    <Step number={1} title="File" isCurrent={state.kind !== 'open'}>
      <div
        className={isOver ? 'import-file import-over' : 'import-file'}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {access.mayAct ? (
          <>
            <div className="import-file-name" role="status">
              <FileText state={state} />
              {state.kind === 'open' && <Sheets file={state.file} onSheet={onSheet} />}
            </div>
            <input
              ref={input}
              type="file"
              hidden
              aria-label="File to import"
              accept=".csv,.tsv,.txt,.xlsx,text/csv"
              onChange={(event) => {
                const [file] = event.target.files ?? []
                // The same file can be chosen again.
                event.target.value = ''
                if (file !== undefined) onChoose(file)
              }}
            />
            <Button
              look={state.kind === 'none' ? 'ink' : 'line'}
              busy={state.kind === 'reading'}
              onClick={() => input.current?.click()}
            >
              {state.kind === 'none' ? 'Choose a file' : 'Choose another file'}
            </Button>
          </>
        ) : (
          <p>No file can be imported. {access.sentence}</p>
        )}
      </div>
    </Step>
  )
}

function FileText({ state }: { state: FileState }) {
  switch (state.kind) {
    case 'none':
      return (
        <>
          <b>Drop a CSV or XLSX file here</b>
          <p>Up to 20,000 rows and 10 MB. This browser reads it, and you see each row.</p>
        </>
      )
    case 'reading':
      return (
        <>
          <b>{state.name}</b>
          <p>Reading the file…</p>
        </>
      )
    case 'refused':
      return (
        <>
          <b>{state.name}</b>
          <p className="import-bad">{state.sentence}</p>
        </>
      )
    case 'open':
      return (
        <>
          <b>{state.file.name}</b>
          <p>{fileInWords(state.file)}</p>
        </>
      )
    default:
      return state satisfies never
  }
}

function fileInWords({ table, size, readMs }: OpenFile): string {
  const kilobytes = size / 1000
  const ofSize =
    kilobytes < 1000 ? `${kilobytes.toFixed(1)} kB` : `${(kilobytes / 1000).toFixed(1)} MB`
  return `${countOf(table.rows, 'row')}, ${countOf(table.columns.length, 'column')}, ${ofSize}. Read in this browser in ${seconds(readMs)}.`
}

/** A workbook with several sheets. */
function Sheets({ file, onSheet }: { file: OpenFile; onSheet: (sheet: number) => void }) {
  if (file.sheets.length < 2) return null
  return (
    <label className="import-sheet">
      <span>Sheet</span>
      <span className="select">
        <select
          className="input"
          value={file.table.sheet}
          onChange={(event) => onSheet(Number(event.target.value))}
        >
          {file.sheets.map(({ name, rows }, index) => (
            <option key={name} value={index} disabled={typeof rows === 'object'}>
              {name}
              {typeof rows === 'number' ? `, ${countOf(rows, 'row')}` : ', too large'}
            </option>
          ))}
        </select>
      </span>
    </label>
  )
}
