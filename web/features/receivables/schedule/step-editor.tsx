import { useEffect, useRef, useState } from 'react'
import { scheduleLimits } from '#contracts/receivables/schedule-rules'
import { Button } from '../../../ui/button.tsx'
import { Choice } from './choice.tsx'
import { changeOf, clampOffset, hasNewDay, type Draft, type DraftStep } from './draft.ts'
import { NumberField } from './number-field.tsx'
import { channelNames, stepInWords, toneNames } from './schedule-words.ts'

interface StepEditorProps {
  readonly draft: Draft
  readonly step: DraftStep
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
          least={0}
          most={side === 'before' ? -firstOffset : lastOffset}
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
        {stepInWords(step)}.
        {hasNewDay(draft, step) &&
          ' Open invoices that are past that day already do not get it, unless you say so.'}
      </p>
      {hasNewDay(draft, step) && (
        <label className="step-past">
          <input
            type="checkbox"
            checked={step.includesPast}
            onChange={({ target }) => onChange({ includesPast: target.checked })}
          />
          <span>It is for invoices that are past that day, too.</span>
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
