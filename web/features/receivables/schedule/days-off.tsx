import { useRef, useState } from 'react'
import type { ScheduleResponse } from '#contracts/receivables/schedule'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { weekdayDate } from '../shared/days.ts'

interface DaysOffProps {
  readonly daysOff: readonly string[]
  readonly holidays: ScheduleResponse['holidays']
  readonly sendingDays: readonly number[]
  readonly today: string
  readonly mayChange: boolean
  readonly onChange: (daysOff: readonly string[]) => void
}

/** Days shown before the rest is asked for. */
const shown = 6
/** As `requestedDay` of the contract. */
const lastDay = '2099-12-31'

/** The days on which nothing goes out. Federal holidays are proposed; they are not chosen. */
export function DaysOff({
  daysOff,
  holidays,
  sendingDays,
  today,
  mayChange,
  onChange,
}: DaysOffProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [isAdding, setAdding] = useState(false)
  const [showsAll, setShowsAll] = useState(false)
  const coming = daysOff.filter((day) => day >= today).toSorted()
  const visible = showsAll ? coming : coming.slice(0, shown)
  const nameOf = (day: string) => holidays.find((holiday) => holiday.day === day)?.name ?? null
  const proposed = holidays.filter(
    ({ day }) => day >= today && !daysOff.includes(day) && sendingDays.includes(weekday(day)),
  )
  const add = (days: readonly string[]) => onChange([...new Set([...daysOff, ...days])].toSorted())

  function close(): void {
    setAdding(false)
    heading.current?.focus()
  }

  return (
    <div className="when-part">
      <div className="when-title">
        <h3 ref={heading} tabIndex={-1}>
          Days off
        </h3>
        {mayChange && !isAdding && (
          <Button look="link" onClick={() => setAdding(true)}>
            Add a date
          </Button>
        )}
      </div>
      {isAdding && (
        <AddDayOff
          today={today}
          onAdd={(day) => {
            add([day])
            close()
          }}
          onCancel={close}
        />
      )}
      {coming.length === 0 && <p>None. Reminders go out on holidays, too.</p>}
      {coming.length > 0 && (
        <ul className="when-days-off">
          {visible.map((day) => (
            <li key={day}>
              <span>
                <b>{weekdayDate(day)}</b>
                {nameOf(day) !== null && <small>{nameOf(day)}</small>}
              </span>
              {mayChange && (
                <Button
                  look="link"
                  aria-label={`Remove ${weekdayDate(day)}`}
                  onClick={() => {
                    onChange(daysOff.filter((other) => other !== day))
                    heading.current?.focus()
                  }}
                >
                  Remove
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {coming.length > visible.length && (
        <Button look="link" onClick={() => setShowsAll(true)}>
          Show all {coming.length}
        </Button>
      )}
      {mayChange && proposed.length > 0 && (
        <Button
          look="link"
          onClick={() => {
            add(proposed.map(({ day }) => day))
            heading.current?.focus()
          }}
        >
          {proposed.length === 1
            ? `Add ${proposed[0]?.name ?? 'the federal holiday'}, ${weekdayDate(proposed[0]?.day ?? today)}`
            : `Add ${proposed.length} federal holidays`}
        </Button>
      )}
    </div>
  )
}

interface AddDayOffProps {
  readonly today: string
  readonly onAdd: (day: string) => void
  readonly onCancel: () => void
}

function AddDayOff({ today, onAdd, onCancel }: AddDayOffProps) {
  const [date, setDate] = useState('')
  const [wasTried, setTried] = useState(false)
  const isWrong = date < today || date > lastDay
  return (
    <form
      className="when-add"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isWrong) return setTried(true)
        onAdd(date)
      }}
    >
      <TextField
        label="Day off"
        type="date"
        min={today}
        max={lastDay}
        error={wasTried && isWrong ? 'Choose today or a later day.' : undefined}
        // The press of Add a date opened it.
        autoFocus
        value={date}
        onChange={({ target }) => setDate(target.value)}
      />
      <Button type="submit" look="line">
        Add
      </Button>
      <Button look="quiet" onClick={onCancel}>
        Cancel
      </Button>
    </form>
  )
}

/** ISO: 1 is Monday. */
const weekday = (day: string) => new Date(day).getUTCDay() || 7
