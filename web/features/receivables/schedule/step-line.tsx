import { useId, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { useMediaQuery } from '../../../lib/use-media-query.ts'
import { Mark } from '../../../ui/mark.tsx'
import { changeOf, clampOffset, type Draft, type DraftStep } from './draft.ts'
import { kindOf, toneNames, whenOf } from './schedule-words.ts'
import { labeledOffsets, stepScale, type StepScale } from './step-scale.ts'
import './step-line.css'

const tones = ['friendly', 'firm', 'final'] as const

interface StepLineProps {
  readonly draft: Draft
  readonly selected: string | null
  readonly mayChange: boolean
  readonly onSelect: (stepId: string) => void
  readonly onChange: (stepId: string, parts: Partial<DraftStep>) => void
}

/** Across, days from the due date; up, the tone. Dragging or arrow keys change both. */
export function StepLine({ draft, selected, mayChange, onSelect, onChange }: StepLineProps) {
  const hintId = useId()
  const plot = useRef<HTMLDivElement>(null)
  const isSmallScreen = useMediaQuery('(max-width: 640px)')
  // While a step is dragged, the days stay where they are.
  const [held, setHeld] = useState<StepScale | null>(null)
  const { steps } = draft.schedule
  const scale = held ?? stepScale(steps)
  const selectedStep = steps.find(({ stepId }) => stepId === selected)
  const labeled = labeledOffsets(
    scale,
    steps.map(({ offset }) => offset),
    selectedStep?.offset,
    isSmallScreen ? 5 : 3.4,
  )

  function drag(step: DraftStep, event: PointerEvent): void {
    const box = plot.current?.getBoundingClientRect()
    if (held === null || box === undefined) return
    const days = held.first + ((event.clientX - box.left) / box.width) * (held.last - held.first)
    const height = (box.bottom - event.clientY) / (box.height / 3.4)
    const tone = tones[Math.min(2, Math.max(0, Math.round(height) - 1))]
    const offset = Math.min(held.last, Math.max(held.first, clampOffset(days)))
    if (tone !== undefined && (offset !== step.offset || tone !== step.tone))
      onChange(step.stepId, { offset, tone })
  }

  function press(step: DraftStep, event: KeyboardEvent): void {
    const parts = partsOfKey(step, event.key)
    if (parts === null || !mayChange) return
    event.preventDefault()
    onSelect(step.stepId)
    onChange(step.stepId, parts)
  }

  return (
    <div className="steps-line" role="group" aria-label="Steps on a line of days">
      <p id={hintId} className="sr-only">
        {mayChange
          ? 'Left and right arrow keys change the day, up and down the tone. The fields below do the same.'
          : ''}
      </p>
      <div ref={plot} className="steps-plot">
        {tones.map((tone, index) => (
          <span key={tone} className="steps-tone" style={{ bottom: unit(index + 1) }}>
            <span>{toneNames[tone]}</span>
          </span>
        ))}
        {scale.ticks.map(({ offset, isLong }) => (
          <i
            key={offset}
            className={`steps-tick ${isLong ? 'steps-tick-long' : ''} ${offset === 0 ? 'steps-due' : ''}`}
            style={{ left: `${scale.at(offset)}%` }}
          />
        ))}
        {steps.map((step, index) => {
          const { stepId, offset, tone, channel } = step
          const isUnsaved = changeOf(draft, step) !== null
          const before = steps.slice(0, index).filter((other) => other.offset === offset).length
          return (
            <button
              key={stepId}
              type="button"
              className={`steps-stem ${isUnsaved ? 'steps-unsaved' : ''} ${stepId === selected ? 'steps-selected' : ''}`}
              style={{
                left: `calc(${scale.at(offset)}% + ${before * 7}px)`,
                height: unit(tones.indexOf(tone) + 1),
              }}
              aria-pressed={stepId === selected}
              aria-label={`${kindOf(step)}, ${whenOf(offset).toLowerCase()}${isUnsaved ? ', not saved' : ''}`}
              aria-describedby={hintId}
              disabled={!mayChange}
              onClick={() => onSelect(stepId)}
              onKeyDown={(event) => press(step, event)}
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId)
                setHeld(stepScale(steps))
                onSelect(stepId)
              }}
              onPointerMove={(event) => drag(step, event)}
              onPointerUp={() => setHeld(null)}
              onPointerCancel={() => setHeld(null)}
            >
              <i className="steps-rod" />
              <Mark kind={channel === 'text' ? 'text' : 'email'} />
              {labeled.has(offset) && before === 0 && <em>{dayLabel(offset)}</em>}
            </button>
          )
        })}
      </div>
      <span className="steps-axis">Day</span>
    </div>
  )
}

const unit = (count: number) => `calc(${count} * var(--steps-unit))`
const dayLabel = (offset: number) => (offset < 0 ? `−${-offset}` : String(offset))

function partsOfKey(step: DraftStep, key: string): Partial<DraftStep> | null {
  const tone = (by: number) => tones[tones.indexOf(step.tone) + by] ?? step.tone
  switch (key) {
    case 'ArrowLeft':
      return { offset: clampOffset(step.offset - 1) }
    case 'ArrowRight':
      return { offset: clampOffset(step.offset + 1) }
    case 'ArrowUp':
      return { tone: tone(1) }
    case 'ArrowDown':
      return { tone: tone(-1) }
    default:
      return null
  }
}
