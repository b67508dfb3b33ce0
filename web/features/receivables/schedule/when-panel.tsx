import { Link } from 'react-router-dom'
import { useId } from 'react'
import { scheduleLimits, sendingTimes } from '#contracts/receivables/schedule-rules'
import { DaysOff } from './days-off.tsx'
import type { Draft, DraftSchedule } from './draft.ts'
import { NumberField } from './number-field.tsx'
import { timeInWords } from './schedule-words.ts'
import { zoneChoices } from './zone-choices.ts'
import './when-panel.css'

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

interface WhenPanelProps {
  readonly draft: Draft
  readonly mayChange: boolean
  readonly onChange: (draft: Draft) => void
}

/** On which days, at which hour and how often messages go out. */
export function WhenPanel({ draft, mayChange, onChange }: WhenPanelProps) {
  const id = useId()
  const { schedule, timeZone, base } = draft
  const set = (parts: Partial<DraftSchedule>) =>
    onChange({ ...draft, schedule: { ...schedule, ...parts } })
  const { sendingDays } = schedule
  return (
    <section className="panel when" aria-labelledby={`${id}-when`}>
      <header>
        <h2 id={`${id}-when`}>When</h2>
      </header>
      <SendingDays
        days={sendingDays}
        mayChange={mayChange}
        onChange={(days) => set({ sendingDays: days })}
      />
      <div className="when-part">
        <label htmlFor={`${id}-time`}>Sending hour</label>
        <span className="select">
          <select
            id={`${id}-time`}
            className="input"
            value={schedule.sendingTime}
            disabled={!mayChange}
            onChange={({ target }) => set({ sendingTime: target.value })}
          >
            {sendingTimes.map((time) => (
              <option key={time} value={time}>
                {timeInWords(time)}, in the client’s time zone
              </option>
            ))}
          </select>
        </span>
        <p>
          E-mails go out until 6:00 PM. Texts only from 8:00 AM to 8:00 PM, in every zone of the
          client’s state.
        </p>
      </div>
      <div className="when-part">
        <label htmlFor={`${id}-zone`}>Your time zone</label>
        <span className="select">
          <select
            id={`${id}-zone`}
            className="input"
            value={timeZone}
            disabled={!mayChange}
            onChange={({ target }) => onChange({ ...draft, timeZone: target.value })}
          >
            {zoneChoices(base.timeZone).map(({ zone, name }) => (
              <option key={zone} value={zone}>
                {name}
              </option>
            ))}
          </select>
        </span>
        <p>Of due dates and payments, and of clients without a state.</p>
      </div>
      <div className="when-part">
        <h3 aria-hidden="true">Most for one client</h3>
        <div className="when-limit">
          <NumberField
            label="Most messages for one client in 7 days"
            value={schedule.messagesPerWeek}
            min={1}
            max={scheduleLimits.messagesPerWeek}
            disabled={!mayChange}
            onChange={(messagesPerWeek) => set({ messagesPerWeek })}
          />
          <span>messages in 7 days, 1 a day</span>
        </div>
        <p>A limit only delays: a message waits for the next possible day.</p>
      </div>
      <DaysOff
        daysOff={schedule.daysOff}
        holidays={base.holidays}
        sendingDays={sendingDays}
        today={base.today}
        mayChange={mayChange}
        onChange={(daysOff) => set({ daysOff: [...daysOff] })}
      />
      <Thanks
        isOn={schedule.thanks}
        mayChange={mayChange}
        onTurn={() => set({ thanks: !schedule.thanks })}
      />
    </section>
  )
}

function Thanks({
  isOn,
  mayChange,
  onTurn,
}: {
  readonly isOn: boolean
  readonly mayChange: boolean
  readonly onTurn: () => void
}) {
  const id = useId()
  return (
    <div className="when-part">
      <div className="when-title">
        <h3 id={id}>Thank you</h3>
        <button
          type="button"
          role="switch"
          className="when-switch"
          aria-checked={isOn}
          aria-labelledby={id}
          disabled={!mayChange}
          onClick={onTurn}
        >
          <i />
        </button>
      </div>
      <p>
        One e-mail after a full payment, or a text if no e-mail can reach the client. Its words are
        under <Link to="/receivables/templates">Templates</Link>.
      </p>
    </div>
  )
}

interface SendingDaysProps {
  readonly days: readonly number[]
  readonly mayChange: boolean
  readonly onChange: (days: number[]) => void
}

function SendingDays({ days, mayChange, onChange }: SendingDaysProps) {
  const id = useId()
  return (
    <div className="when-part">
      <h3 id={id}>Sending days</h3>
      <div className="when-weekdays" role="group" aria-labelledby={id}>
        {weekdays.map((name, index) => {
          const day = index + 1
          const isChosen = days.includes(day)
          return (
            <button
              key={name}
              type="button"
              aria-label={name}
              aria-pressed={isChosen}
              disabled={!mayChange}
              onClick={() =>
                onChange(
                  isChosen
                    ? days.filter((other) => other !== day)
                    : [...days, day].toSorted((a, b) => a - b),
                )
              }
            >
              {name.slice(0, 2)}
            </button>
          )
        })}
      </div>
      <p>A step on another day waits for the next sending day.</p>
    </div>
  )
}
