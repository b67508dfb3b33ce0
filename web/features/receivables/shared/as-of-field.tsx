import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import './as-of-field.css'

interface AsOfFieldProps {
  readonly today: string
  /** Null for today. */
  readonly value: string | null
  readonly onChange: (day: string | null) => void
}

const firstDay = '2000-01-01'

/** The day of the figures: today or a past one. */
export function AsOfField({ today, value, onChange }: AsOfFieldProps) {
  const [text, setText] = useState(value ?? today)
  const [shown, setShown] = useState(value)
  if (value !== shown) {
    setShown(value)
    setText(value ?? today)
  }

  // While a year is typed, the field has the years 0002, 0020 and 0202.
  function change(day: string): void {
    setText(day)
    if (day >= firstDay && day <= today) onChange(day === today ? null : day)
  }

  return (
    <span className="rcv-as-of">
      <label>
        <span>{value === null ? 'As of today' : 'As of'}</span>
        <input
          className="input"
          type="date"
          min={firstDay}
          max={today}
          value={text}
          onChange={(event) => change(event.target.value)}
        />
      </label>
      {value !== null && (
        <Button look="quiet" size="sm" onClick={() => onChange(null)}>
          Today
        </Button>
      )}
    </span>
  )
}
