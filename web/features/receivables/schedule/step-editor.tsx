import { useEffect, useRef, useState } from 'react'
import { scheduleLimits } from '#contracts/receivables/schedule-rules'
import { formatCount } from '../../../lib/money.ts'
import { Button } from '../../../ui/button.tsx'
import { countOf } from '../shared/days.ts'
import { Choice } from './choice.tsx'
import { changeOf, clampOffset, hasNewDay, type Draft, type DraftStep } from './draft.ts'
import { NumberField } from './number-field.tsx'
import { channelNames, stepInWords, toneNames } from './schedule-words.ts'

interface StepEditorProps {
  readonly draft: Draft
  readonly step: DraftStep
  /** Open invoices that are past the step's new day. Null: not computed yet, or no new day. */
  readonly past: number | null
  /** Whether the first field gets the focus. Not if the line has it. */
  readonly takesFocus: boolean
  readonly onChange: (parts: Partial<DraftStep>) => void
  readonly onRemove: () => void
  readonly onDone: () => void
}

/** The fields of one step: the same as on the line. */
export function StepEditor({
  draft,
  step,
  past,
  takesFocus,
  onChange,
  onRemove,
  onDone,
}: StepEditorProps) {
  const days = useRef<HTMLInputElement>(null)
  const [chosenSide, setSide] = useState<'before' | 'after'>('after')
  const { offset } = step
  const side = offset === 0 ? chosenSide : offset < 0 ? 'before' : 'after'
  const { firstOffset, lastOffset } = scheduleLimits
  const change = changeOf(draft, step)

  useEffect(() => {
    if (takesFocus) days.current?.focus()
  }, [takesFocus])

  const place = (count: number, on: 'before' | 'after') => {
    setSide(on)
    onChange({ offset: clampOffset(on === 'before' ? -count : count) })
  }

  return (
    <div className={`step-editor ${change === null ? '' : 'step-editor-unsaved'}`}>
      <div className="step-fields">
        <NumberField
          ref={days}
          label="Days"
          className="step-days"
          value={Math.abs(offset)}
          min={0}
          max={side === 'before' ? -firstOffset : lastOffset}
          onChange={(count) => place(count, side)}
        />
        <div className="field step-side">
          <label className="field-head" htmlFor={`side-${step.stepId}`}>
            Due date
          </label>
          <span className="select">
            <select
              id={`side-${step.stepId}`}
              className="input"
              value={side}
              onChange={({ target }) =>
                place(Math.abs(offset), target.value === 'before' ? 'before' : 'after')
              }
            >
              <option>before</option>
              <option>after</option>
            </select>
          </span>
        </div>
        <Choice
          label="Channel"
          options={channelNames}
          value={step.channel}
          disabled={false}
          onChange={(channel) => onChange({ channel })}
        />
        <Choice
          label="Tone"
          options={toneNames}
          value={step.tone}
          disabled={false}
          onChange={(tone) => onChange({ tone })}
        />
      </div>
      <p>
        {change === 'added' ? 'New step: ' : change === 'changed' ? 'Changed step: ' : 'Step: '}
        {stepInWords(step)}.{hasNewDay(draft, step) && ` ${pastWords(past, step.includesPast)}`}
      </p>
      {hasNewDay(draft, step) && past !== 0 && (
        <label className="step-past">
          <input
            type="checkbox"
            checked={step.includesPast}
            onChange={({ target }) => onChange({ includesPast: target.checked })}
          />
          <span>
            {past === null
              ? 'Also send it for the invoices that are past that day.'
              : `Also send it for ${past === 1 ? 'this invoice' : `these ${formatCount(past)} invoices`}.`}
          </span>
        </label>
      )}
      <div className="step-acts">
        <Button look="line" size="sm" onClick={onDone}>
          Done
        </Button>
        <Button look="quiet" size="sm" onClick={onRemove}>
          Remove
        </Button>
      </div>
    </div>
  )
}

function pastWords(past: number | null, isIncluded: boolean): string {
  if (past === 0) return 'No open invoice is past that day.'
  if (past === null)
    return 'Open invoices that are past that day already do not get it, unless you say so.'
  const are = `${countOf(past, 'open invoice is', 'open invoices are')} past that day already.`
  return isIncluded
    ? `${are} The step goes out for ${past === 1 ? 'it' : 'them'} once, as a catch-up.`
    : `${are} ${past === 1 ? 'It does' : 'They do'} not get it, unless you say so.`
}
