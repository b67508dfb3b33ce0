import { useState } from 'react'
import { timeZoneName } from '../../lib/dates.ts'
import './day-field.css'

/** No record is older. While a year is typed, the field has the years 0002, 0020 and 0202. */
const firstDay = '2000-01-01'
const lastDay = '9998-12-31'

interface DayFieldProps {
  readonly label: string
  /** Such as `2026-03-01`. Null for no limit. */
  readonly value: string | null
  readonly onChange: (value: string | null) => void
}

/** A day that limits a list. The days are those of the dates that the page shows. */
export function DayField({ label, value, onChange }: DayFieldProps) {
  const [text, setText] = useState(value ?? '')
  const [shown, setShown] = useState(value)
  if (value !== shown) {
    setShown(value)
    setText(value ?? '')
  }

  function change(next: string): void {
    setText(next)
    if (next === '') onChange(null)
    else if (next >= firstDay && next <= lastDay) onChange(next)
  }

  return (
    <label className="day-field">
      <span>{label}</span>
      <input
        className="input"
        type="date"
        aria-label={`${label}, a day in ${timeZoneName}`}
        min={firstDay}
        max={lastDay}
        value={text}
        onChange={(event) => change(event.target.value)}
      />
    </label>
  )
}
