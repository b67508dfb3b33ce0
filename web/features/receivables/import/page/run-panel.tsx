import { useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import { formatCount } from '../../../../lib/money.ts'
import { Button, buttonClass } from '../../../../ui/button.tsx'
import { Mark } from '../../../../ui/mark.tsx'
import { countOf } from '../../shared/days.ts'
import { invoicesPath } from '../../shared/paths.ts'
import type { ImportRun } from '../run/use-import-run.ts'
import type { Progress, RunEnd, RunReport } from '../run/run-import.ts'
import { resultLines, type ExpectedResult } from './result.ts'
import { Ruler } from './ruler.tsx'
import { seconds } from './seconds.ts'
import { UndoDialog } from './undo-dialog.tsx'
import './run-panel.css'

interface RunPanelProps {
  readonly run: ImportRun
  readonly expected: ExpectedResult
  readonly onStop: () => void
  readonly onTryNow: () => void
  /** Null: the import had not started. */
  readonly onContinue: (importId: string | null) => void
  readonly onAnother: () => void
}

/** An import that runs, waits, was stopped or is done. */
export function RunPanel({
  run,
  expected,
  onStop,
  onTryNow,
  onContinue,
  onAnother,
}: RunPanelProps) {
  const { state, times, plan } = run
  const ms = times.at - times.startedAt
  switch (state.kind) {
    case 'sending':
      return (
        <section className="panel" aria-label="Import">
          <div className="run">
            <h2>Importing {plan.file.fileName}</h2>
            <Figure progress={state} note={`, ${seconds(ms)}`} />
            <Ruler stored={state.stored} total={state.total} />
            <p>
              {timeLeft(state, times.before, ms)}Keep this page open. A broken connection continues
              where it stopped.
            </p>
          </div>
          <div className="rcv-band">
            <Button look="line" onClick={onStop}>
              Stop after this batch
            </Button>
          </div>
        </section>
      )
    case 'waiting':
      return (
        <section className="panel" aria-label="Import">
          <div className="run">
            <h2>Connection lost</h2>
            <Figure progress={state} note=" stored" />
            <Ruler stored={state.stored} total={state.total} isInterrupted />
            <p className="sr-only" role="alert">
              Connection lost. The import tries again by itself.
            </p>
            <Countdown state={state} />
          </div>
          <div className="rcv-band">
            <Button look="line" onClick={onTryNow}>
              Try now
            </Button>
            <Button look="quiet" onClick={onStop}>
              Stop
            </Button>
          </div>
        </section>
      )
    case 'stopped':
      return (
        <section className="panel" aria-label="Import">
          <div className="run">
            <h2>Stopped</h2>
            <Figure progress={state} note=" stored" />
            <Ruler stored={state.stored} total={state.total} isInterrupted />
            {state.problem !== null && <p role="alert">{state.problem}</p>}
            <p>
              Continue now, or choose the same file later. {continuesWith(state)} No row is stored
              twice.
            </p>
          </div>
          <div className="rcv-band">
            <Button onClick={() => onContinue(state.importId)}>Continue</Button>
            <Button look="line" onClick={onAnother}>
              Choose another file
            </Button>
          </div>
        </section>
      )
    case 'done':
      return <Done end={state} ms={ms} expected={expected} onAnother={onAnother} />
    default:
      return state satisfies never
  }
}

function Figure({ progress, note }: { progress: Progress; note: string }) {
  return (
    <p className="run-figure">
      {formatCount(progress.stored)}
      <small>
        of {countOf(progress.total, 'row')}
        {note}
      </small>
    </p>
  )
}

/** Nothing before the first part is stored. */
function timeLeft({ stored, total }: Progress, before: number, ms: number): string {
  const done = stored - before
  return done <= 0 || stored === total ? '' : `${seconds((ms / done) * (total - stored))} left. `
}

const continuesWith = ({ nextRow }: Progress) =>
  nextRow === null
    ? 'All rows are stored, and the last step is left.'
    : `It continues with row ${formatCount(nextRow)}.`

function Countdown({ state }: { state: Extract<RunReport, { readonly kind: 'waiting' }> }) {
  const [passed, setPassed] = useState({ of: state, seconds: 0 })
  useEffect(() => {
    const timer = window.setInterval(
      () =>
        setPassed((before) => ({
          of: state,
          seconds: before.of === state ? before.seconds + 1 : 1,
        })),
      1_000,
    )
    return () => window.clearInterval(timer)
  }, [state])
  const left = Math.round(state.ms / 1000) - (passed.of === state ? passed.seconds : 0)
  return (
    <p>
      {left > 0 ? `Trying again in ${left} s.` : 'Trying again.'} {continuesWith(state)} No row is
      stored twice.
    </p>
  )
}

interface DoneProps {
  readonly end: Extract<RunEnd, { readonly kind: 'done' }>
  readonly ms: number
  readonly expected: ExpectedResult
  readonly onAnother: () => void
}

function Done({ end, ms, expected, onAnother }: DoneProps) {
  const [isUndoing, setUndoing] = useState(false)
  const { summary } = end
  const rows = summary.counts.added + summary.counts.changed
  return (
    <section className="panel" aria-label="Import">
      <div className="run">
        <div className="run-done">
          <Mark kind="paid" />
          <h2>
            {countOf(rows, 'row')} imported in {seconds(ms)}
          </h2>
        </div>
        <dl>
          {resultLines(summary, expected).map(({ term, value }) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <p>Until an act or a payment on one of its invoices, you can undo this import.</p>
      </div>
      <div className="rcv-band">
        <Link className={buttonClass({})} to={invoicesPath()}>
          See the invoices
        </Link>
        <Button look="line" onClick={() => setUndoing(true)}>
          Undo import
        </Button>
        <Button look="quiet" onClick={onAnother}>
          Import another file
        </Button>
      </div>
      {isUndoing && (
        <UndoDialog
          summary={summary}
          onClose={() => setUndoing(false)}
          onDone={() => {
            setUndoing(false)
            onAnother()
          }}
        />
      )}
    </section>
  )
}
