import { useId } from 'react'
import type { RowAnswer, ViewRow } from './import-view.ts'

interface RowQuestionProps {
  readonly row: Extract<ViewRow, { readonly by: 'server' }>
  readonly answer: RowAnswer | undefined
  readonly onAnswer: (answer: RowAnswer) => void
}

const nothing: RowAnswer = {
  clientChoice: null,
  confirmsReversal: false,
  candidates: [],
}

/** Whom the row is about, or whether a payment went back. */
export function RowQuestion({ row, answer = nothing, onAnswer }: RowQuestionProps) {
  const { result, sent } = row
  const id = useId()
  const candidates = answer.candidates.length > 0 ? answer.candidates : result.candidates
  const asksReversal = result.code === 'open-rose' || answer.confirmsReversal
  return (
    <>
      {result.sentence !== null && <p id={id}>{result.sentence}</p>}
      {candidates.length > 0 && (
        <span className="select import-choice">
          <select
            className="input"
            aria-label={`Client of row ${row.row}`}
            aria-describedby={result.sentence === null ? undefined : id}
            value={answer.clientChoice ?? ''}
            onChange={(event) =>
              onAnswer({
                ...answer,
                candidates,
                clientChoice: event.target.value || null,
              })
            }
          >
            <option value="">Choose the client</option>
            {candidates.map(({ clientId, name, number, email }) => (
              <option key={clientId} value={clientId}>
                {[name, number, email].filter((part) => part !== null && part !== '').join(', ')}
              </option>
            ))}
            <option value="new">A new client: {sent.client.name}</option>
          </select>
        </span>
      )}
      {asksReversal && (
        <label className="import-confirm">
          <input
            type="checkbox"
            checked={answer.confirmsReversal}
            onChange={(event) => onAnswer({ ...answer, confirmsReversal: event.target.checked })}
          />
          <span>A payment went back</span>
        </label>
      )}
    </>
  )
}
