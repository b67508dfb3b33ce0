import { formatCount } from '../../../../lib/money.ts'
import { Chip, type ChipTone } from '../../../../ui/chip.tsx'
import { money } from '../../shared/amounts.ts'
import { fullDay } from '../../shared/days.ts'
import type { RowAnswer, Standing, ViewRow } from './import-view.ts'
import { RowQuestion } from './row-question.tsx'
import { RowChanges } from './row-changes.tsx'

const chips: Readonly<Record<Standing, { readonly label: string; readonly tone: ChipTone }>> = {
  asked: { label: 'Refused', tone: 'failed' },
  refused: { label: 'Refused', tone: 'failed' },
  changed: { label: 'Changed', tone: 'pending' },
  new: { label: 'New', tone: 'open' },
  unchanged: { label: 'Unchanged', tone: 'ended' },
}

interface CheckTableProps {
  readonly rows: readonly ViewRow[]
  readonly answers: ReadonlyMap<number, RowAnswer>
  readonly onAnswer: (row: number, answer: RowAnswer) => void
}

/** The rows of the file with what becomes of them, and why. */
export function CheckTable({ rows, answers, onAnswer }: CheckTableProps) {
  return (
    <table className="rcv-table import-table" role="table" aria-label="Rows of the file">
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col" className="right">
            Row
          </th>
          {['Result', 'Invoice', 'Client', 'Due'].map((title) => (
            <th key={title} role="columnheader" scope="col">
              {title}
            </th>
          ))}
          <th role="columnheader" scope="col" className="right">
            Open
          </th>
          <th role="columnheader" scope="col">
            Why
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <Row
            key={row.row}
            row={row}
            answer={answers.get(row.row)}
            onAnswer={(answer) => onAnswer(row.row, answer)}
          />
        ))}
      </tbody>
    </table>
  )
}

interface RowProps {
  readonly row: ViewRow
  readonly answer: RowAnswer | undefined
  readonly onAnswer: (answer: RowAnswer) => void
}

function Row({ row, answer, onAnswer }: RowProps) {
  const { label, tone } = chips[row.standing]
  const { number, client, due, open, isBadDue, isBadOpen } = cellsOf(row)
  return (
    <tr role="row">
      <td role="cell" className="row right">
        {formatCount(row.row)}
      </td>
      <td role="cell" className="result">
        <Chip tone={tone}>{label}</Chip>
      </td>
      <td role="cell" className="number">
        {number === '' ? (
          <span className="import-faint">None</span>
        ) : (
          <span className="mono">{number}</span>
        )}
      </td>
      <td role="cell" className="who" dir="auto">
        {client}
      </td>
      <td role="cell" className={isBadDue ? 'due keep import-bad' : 'due keep'}>
        {due}
      </td>
      <td role="cell" className={isBadOpen ? 'open right keep import-bad' : 'open right keep'}>
        <span className="amount">{open}</span>
      </td>
      <td role="cell" className="why">
        {row.by === 'file' ? (
          row.refused.reason
        ) : (
          <>
            {row.standing === 'asked' || answer !== undefined ? (
              <RowQuestion row={row} answer={answer} onAnswer={onAnswer} />
            ) : (
              row.result.sentence
            )}
            <RowChanges row={row} />
          </>
        )}
      </td>
    </tr>
  )
}

/** A refused row has its texts as written. */
function cellsOf(row: ViewRow) {
  if (row.by === 'file') {
    const { written, target } = row.refused
    return {
      ...written,
      isBadDue: target === 'dueDate' || target === 'terms',
      isBadOpen: target === 'openAmount' || target === 'amount' || target === 'lineTotal',
    }
  }
  const { sent, result, standing } = row
  const after = result.changes.find(({ field }) => field === 'open')?.after ?? sent.openAmount
  const open = after ?? (standing === 'new' ? sent.amount : null)
  return {
    number: sent.number,
    client: sent.client.name,
    due: fullDay(sent.dueDate),
    open: open === null ? '' : money(Number(open), sent.currency),
    isBadDue: false,
    isBadOpen: false,
  }
}
