import { useState, type FormEvent } from 'react'
import type { Instant } from '#contracts/instant'
import { formatExactTime } from '../../../lib/dates.ts'
import { Button } from '../../../ui/button.tsx'
import { endOfInput, inputOf } from './as-of.ts'
import './as-of-control.css'

interface AsOfProps {
  readonly asOf: Instant | null
  readonly onChange: (asOf: Instant | null) => void
}

/** Chooses the instant at which the page shows the account. Without a time, the end of the day. */
export function AsOfControl({ asOf, onChange }: AsOfProps) {
  const [input, setInput] = useState(() => inputOf(asOf))
  const [shownAsOf, setShownAsOf] = useState(asOf)
  if (asOf !== shownAsOf) {
    setShownAsOf(asOf)
    setInput(inputOf(asOf))
  }
  const chosen = endOfInput(input)

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (chosen !== null) onChange(chosen)
  }

  return (
    <form className="as-of" onSubmit={submit} aria-label="As of">
      <label>
        <span className="label">As of (UTC)</span>
        <input
          className="input"
          type="date"
          required
          value={input.date}
          onChange={(event) => setInput({ ...input, date: event.target.value })}
        />
      </label>
      <label>
        <span className="label">Time</span>
        <input
          className="input"
          type="time"
          step={1}
          value={input.time}
          onChange={(event) => setInput({ ...input, time: event.target.value })}
        />
      </label>
      <Button type="submit" look="line" disabled={chosen === null}>
        Show
      </Button>
    </form>
  )
}

/** States that the page shows the past. */
export function AsOfNotice({ asOf, onBack }: { asOf: Instant; onBack: () => void }) {
  return (
    <div className="as-of-notice" role="status">
      <p className="num">As of {formatExactTime(asOf)}</p>
      <Button look="link" onClick={onBack}>
        Back to now
      </Button>
    </div>
  )
}
