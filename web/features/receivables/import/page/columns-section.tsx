import { useId } from 'react'
import { formatCount } from '../../../../lib/money.ts'
import type { Question } from '../check/questions.ts'
import type { Choices } from '../table/remembered-choices.ts'
import { targetLabels, targets, type Mapping, type Target } from '../table/targets.ts'
import { Step } from './step.tsx'
import type { OpenFile } from './use-import-file.ts'
import './columns-section.css'

interface ColumnsSectionProps {
  readonly file: OpenFile
  readonly onChange: (choices: Choices) => void
}

/** Step 2: where each column goes, and how its dates or amounts are read. */
export function ColumnsSection({ file, onChange }: ColumnsSectionProps) {
  const { table, choices, checked } = file
  const { mapping } = choices
  const used = mapping.filter((target) => target !== null).length
  const questions = checked === null || checked.kind === 'incomplete' ? [] : checked.questions
  const missing = checked?.kind === 'incomplete' ? checked.missing : []

  function choose(column: number, target: Target | null): void {
    // A target has one column: the other one is not imported any more.
    const next = mapping.map((each, index) =>
      index === column ? target : each !== null && each === target ? null : each,
    )
    onChange({ ...choices, mapping: next })
  }

  function answer(question: Question, choice: string): void {
    if (question.kind === 'dates') {
      const found = question.readings.find((reading) => reading.choice === choice)
      if (found !== undefined)
        onChange({
          ...choices,
          dayOrders: { ...choices.dayOrders, [question.target]: found.choice },
        })
      return
    }
    const found = question.readings.find((reading) => reading.choice === choice)
    if (found !== undefined)
      onChange({
        ...choices,
        decimalSigns: {
          ...choices.decimalSigns,
          [question.target]: found.choice,
        },
      })
  }

  return (
    <Step
      number={2}
      title="Columns"
      note={`${used} of ${mapping.length} are used. Proposed from the header, and remembered for the next file with this header.`}
      isCurrent={checked !== null && checked.kind !== 'checked'}
    >
      <div className="import-columns">
        <div className="import-columns-head" aria-hidden="true">
          <span>In the file</span>
          <span>First values</span>
          <span>Goes to</span>
          <span />
        </div>
        <ol>
          {table.columns.map(({ name, values }, column) => {
            const target = mapping[column] ?? null
            const question = questions.find((each) => each.target === target)
            return (
              <li key={column} className={target === null ? 'import-unused' : ''}>
                <span className="import-column" dir="auto">
                  {name}
                </span>
                <span className="import-values">
                  {values.map((value, index) => (
                    <span key={index}>
                      <span dir="auto">{shortened(value)}</span>
                      {index < values.length - 1 && ', '}
                    </span>
                  ))}
                </span>
                <span className="import-target select">
                  <select
                    className="input"
                    aria-label={`${name} goes to`}
                    value={target ?? ''}
                    onChange={(event) =>
                      choose(column, targets.find((each) => each === event.target.value) ?? null)
                    }
                  >
                    <option value="">Do not import</option>
                    {targets.map((each) => (
                      <option key={each} value={each}>
                        {targetLabels[each]}
                      </option>
                    ))}
                  </select>
                </span>
                <span className="import-required">
                  {target !== null && isRequired(target, mapping) && 'Required'}
                </span>
                {question !== undefined && (
                  <ColumnQuestion name={name} question={question} onAnswer={answer} />
                )}
              </li>
            )
          })}
        </ol>
        {missing.length > 0 && (
          <p className="import-missing" role="status">
            {missing.join(' ')}
          </p>
        )}
      </div>
    </Step>
  )
}

const shortened = (value: string) => (value.length > 60 ? `${value.slice(0, 58)}…` : value)

/** Terms stand in for a due date, and the amounts of lines for an amount. */
function isRequired(target: Target, mapping: Mapping): boolean {
  switch (target) {
    case 'number':
    case 'client':
    case 'dueDate':
    case 'amount':
      return true
    case 'terms':
    case 'issueDate':
      return mapping.includes('terms') && !mapping.includes('dueDate')
    case 'lineTotal':
      return !mapping.includes('amount')
    default:
      return false
  }
}

interface ColumnQuestionProps {
  readonly name: string
  readonly question: Question
  readonly onAnswer: (question: Question, choice: string) => void
}

/** Stands under its column, with an example of each reading. */
function ColumnQuestion({ name, question, onAnswer }: ColumnQuestionProps) {
  const id = useId()
  const { kind, value, ambiguous, values, contradiction, readings, answer } = question
  const what = kind === 'dates' ? 'date' : 'amount'
  return (
    <div className="import-ask">
      <p>
        <b>{value} can be read in two ways.</b>{' '}
        <span>
          {contradiction === null
            ? `${extent(ambiguous, values, what)} Nothing in the file decides it.`
            : contradiction}
        </span>
      </p>
      <div
        className="import-readings"
        role="radiogroup"
        aria-label={`How the ${what}s of ${name} read`}
      >
        {readings.map((reading) => (
          <label
            key={reading.choice}
            className={
              reading.choice === answer ? 'import-reading import-chosen' : 'import-reading'
            }
          >
            <input
              type="radio"
              name={id}
              checked={reading.choice === answer}
              onChange={() => onAnswer(question, reading.choice)}
            />
            <span>
              <b>{reading.label}</b>
              {reading.example}
            </span>
          </label>
        ))}
      </div>
    </div>
  )
}

/** `So can all 46 dates of this column.` */
function extent(ambiguous: number, values: number, what: string): string {
  if (values === 1) return `It is the only ${what} of this column.`
  const all = formatCount(values)
  return ambiguous === values
    ? `So can all ${all} ${what}s of this column.`
    : `So can ${formatCount(ambiguous)} of the ${all} ${what}s of this column.`
}
