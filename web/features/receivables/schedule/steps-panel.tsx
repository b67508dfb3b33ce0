import { useEffect, useRef, useState } from 'react'
import { scheduleLimits } from '#contracts/receivables/schedule-rules'
import type { StepResults } from '#contracts/receivables/schedule'
import { useGetStepResultsQuery } from '../../../api/schedule-api.ts'
import { formatCount } from '../../../lib/money.ts'
import { newId } from '../../../lib/new-id.ts'
import { Button } from '../../../ui/button.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { fullDay } from '../shared/days.ts'
import {
  changeOf,
  inOrder,
  withNewStep,
  withoutStep,
  withStep,
  type Draft,
  type DraftSchedule,
} from './draft.ts'
import { NumberField } from './number-field.tsx'
import { kindOf, whenOf } from './schedule-words.ts'
import { StepEditor } from './step-editor.tsx'
import { StepLine } from './step-line.tsx'
import { useDraftPreview } from './use-draft-preview.ts'
import './steps-panel.css'

interface StepsPanelProps {
  readonly draft: Draft
  readonly mayChange: boolean
  readonly onChange: (draft: Draft) => void
}

/** The steps on a line of days, and below it the same as rows. One row at a time has fields. */
export function StepsPanel({ draft, mayChange, onChange }: StepsPanelProps) {
  const [selected, setSelected] = useState<{ stepId: string; byLine: boolean } | null>(null)
  const list = useRef<HTMLOListElement>(null)
  const { schedule } = draft
  const { data: preview } = useDraftPreview(draft)
  const { data: results } = useGetStepResultsQuery()
  const left = useRef<string | null>(null)

  // The rows keep their order while one has fields: what has the focus stays where it is.
  const open = (stepId: string | null, by: Draft = draft) => {
    setSelected(stepId === null ? null : { stepId, byLine: false })
    const steps = inOrder(by.schedule.steps)
    onChange({ ...by, schedule: { ...by.schedule, steps } })
  }

  useEffect(() => {
    if (selected !== null || left.current === null) return
    const row = list.current?.querySelector<HTMLElement>(`[data-step="${left.current}"] button`)
    left.current = null
    const first = list.current?.querySelector<HTMLElement>('button')
    const target = row ?? first
    target?.focus()
  }, [selected])

  const close = (stepId: string, by: Draft = draft) => {
    left.current = stepId
    open(null, by)
  }

  return (
    <section className="panel steps" aria-labelledby="steps">
      <header>
        <h2 id="steps">Steps</h2>
        {mayChange && <span className="steps-hint">Drag across for the day, up for the tone</span>}
        {mayChange && schedule.steps.length < scheduleLimits.steps && (
          <Button
            look="line"
            onClick={() => {
              const stepId = newId()
              open(stepId, withNewStep(draft, stepId))
            }}
          >
            Add step
          </Button>
        )}
      </header>
      <StepLine
        draft={draft}
        selected={selected?.stepId ?? null}
        mayChange={mayChange}
        onSelect={(stepId) =>
          setSelected((known) => (known?.stepId === stepId ? known : { stepId, byLine: true }))
        }
        onChange={(stepId, parts) => onChange(withStep(draft, stepId, parts))}
      />
      <ol ref={list} className="step-rows" aria-label="Steps">
        {schedule.steps.map((step) => {
          const { stepId } = step
          const isUnsaved = changeOf(draft, step) !== null
          return (
            <li key={stepId} data-step={stepId} className={isUnsaved ? 'step-unsaved' : ''}>
              {selected?.stepId === stepId ? (
                <StepEditor
                  draft={draft}
                  step={step}
                  past={preview?.past.find((each) => each.stepId === stepId)?.invoices ?? null}
                  takesFocus={!selected.byLine}
                  onChange={(parts) => onChange(withStep(draft, stepId, parts))}
                  onRemove={() => close(stepId, withoutStep(draft, stepId))}
                  onDone={() => close(stepId)}
                />
              ) : (
                <StepRow
                  step={step}
                  result={results?.steps.find((each) => each.stepId === stepId)}
                  onChange={mayChange ? () => open(stepId) : null}
                />
              )}
            </li>
          )
        })}
      </ol>
      {results !== undefined && results.steps.length > 0 && (
        <p className="steps-note">
          Sent since {fullDay(results.since)}. Paid in 3 days: the share that a payment followed
          within 3 days.
        </p>
      )}
      <Repeat
        schedule={schedule}
        mayChange={mayChange}
        onChange={(repeatLastEvery) =>
          onChange({ ...draft, schedule: { ...schedule, repeatLastEvery } })
        }
      />
    </section>
  )
}

interface StepRowProps {
  readonly step: DraftSchedule['steps'][number]
  readonly result: StepResults['steps'][number] | undefined
  /** Null: it may not be changed. */
  readonly onChange: (() => void) | null
}

function StepRow({ step, result, onChange }: StepRowProps) {
  return (
    <div className="step-row">
      <Mark kind={step.channel === 'text' ? 'text' : 'email'} />
      <b>{whenOf(step.offset)}</b>
      <span className="step-kind">{kindOf(step)}</span>
      <StepResult result={result} />
      {onChange !== null && (
        <Button
          look="quiet"
          size="sm"
          aria-label={`Change: ${kindOf(step)}, ${whenOf(step.offset).toLowerCase()}`}
          onClick={onChange}
        >
          Change
        </Button>
      )}
    </div>
  )
}

/** How often a step went out, and the share that a payment followed. */
function StepResult({ result }: { readonly result: StepResults['steps'][number] | undefined }) {
  if (result === undefined || result.sent === 0) return null
  const share = Math.round((result.paid / result.sent) * 1000) / 10
  return (
    <>
      <span className="step-sent num">{formatCount(result.sent)} sent</span>
      <span className="step-paid num">
        <progress value={result.paid} max={result.sent} aria-hidden="true" />
        {share.toFixed(1)}%<span className="step-paid-word"> paid in 3 days</span>
      </span>
    </>
  )
}

interface RepeatProps {
  readonly schedule: DraftSchedule
  readonly mayChange: boolean
  readonly onChange: (days: number | null) => void
}

function Repeat({ schedule: { repeatLastEvery }, mayChange, onChange }: RepeatProps) {
  return (
    <div className="steps-repeat">
      <label>
        <input
          type="checkbox"
          checked={repeatLastEvery !== null}
          disabled={!mayChange}
          onChange={({ target }) => onChange(target.checked ? 14 : null)}
        />
        <span>Repeat the last step until the invoice is paid</span>
      </label>
      {repeatLastEvery !== null && (
        <div className="steps-every">
          <span aria-hidden="true">every</span>
          <NumberField
            label="Days between two repetitions"
            value={repeatLastEvery}
            min={scheduleLimits.shortestRepeat}
            max={scheduleLimits.longestRepeat}
            disabled={!mayChange}
            onChange={onChange}
          />
          <span aria-hidden="true">days</span>
        </div>
      )}
    </div>
  )
}
