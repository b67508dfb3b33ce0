import { useState } from 'react'
import type { ReportsOverview } from '#contracts/admin/reports'
import { formatDay, formatExactTime } from '../../../lib/dates.ts'
import { Button } from '../../../ui/button.tsx'
import { monthInWords, monthOfDay, monthsBetween } from './months.ts'
import { allMonths, type ReportsView } from './view.ts'
import './report-controls.css'

export type ChangeView = (change: Readonly<Record<string, string | null>>) => void

interface ReportControlsProps {
  readonly view: ReportsView
  readonly overview: ReportsOverview
  /** The currencies of the log. */
  readonly currencies: readonly string[]
  readonly onChange: ChangeView
}

/** What the page shows: months, currency, and as of which day and with which knowledge. */
export function ReportControls({ view, overview, currencies, onChange }: ReportControlsProps) {
  const last = monthOfDay(view.asOf ?? overview.today)
  const first = [overview.first_month ?? last, view.from ?? last, view.to].toSorted()[0] ?? last
  const months = monthsBetween(first, last).toReversed()
  const [isOpen, setOpen] = useState(view.asOf !== null || view.knownAt !== null)
  return (
    <div className="report-controls" role="group" aria-label="What the reports show">
      <Choice
        label="From"
        value={view.from ?? allMonths}
        options={[...months.map(monthOption), { value: allMonths, label: 'First month' }]}
        onChange={(from) =>
          onChange({
            from,
            page: null,
            ...(from !== allMonths && from > view.to && { to: from === last ? null : from }),
          })
        }
      />
      <Choice
        label="To"
        value={view.to}
        options={months.map(monthOption)}
        onChange={(to) =>
          onChange({
            to: to === last ? null : to,
            page: null,
            ...(view.from && { from: view.from > to ? to : view.from }),
          })
        }
      />
      {(currencies.length > 1 || view.currency !== null) && (
        <Choice
          label="Currency"
          value={view.currency ?? ''}
          options={[
            { value: '', label: 'Each' },
            ...[...new Set([...currencies, ...(view.currency ? [view.currency] : [])])].map(
              (code) => ({ value: code, label: code.toUpperCase() }),
            ),
          ]}
          onChange={(currency) => onChange({ currency: currency || null, page: null })}
        />
      )}
      {isOpen ? (
        <>
          <DayField
            label="As of"
            value={view.asOf}
            onChange={(asOf) => onChange({ asOf, page: null })}
          />
          <DayField
            label="Known at"
            value={view.knownAt?.slice(0, 10) ?? null}
            onChange={(knownAt) => onChange({ knownAt, page: null })}
          />
        </>
      ) : (
        <Button look="line" onClick={() => setOpen(true)}>
          Another date
        </Button>
      )}
    </div>
  )
}

const monthOption = (month: string) => ({ value: month, label: monthInWords(month) })

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly onChange: (value: string) => void
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <label>
      <span className="label">{label}</span>
      <span className="select">
        <select className="input" value={value} onChange={(event) => onChange(event.target.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      </span>
    </label>
  )
}

interface DayFieldProps {
  readonly label: string
  readonly value: string | null
  readonly onChange: (day: string | null) => void
}

/** A whole day. An empty field is today, or all that is known. */
function DayField({ label, value, onChange }: DayFieldProps) {
  return (
    <label>
      <span className="label">{label}</span>
      <input
        className="input"
        type="date"
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value || null)}
      />
    </label>
  )
}

interface PastNoticeProps {
  readonly view: ReportsView
  readonly overview: ReportsOverview
  readonly onChange: ChangeView
}

/** States that the page shows another day than today. */
export function PastNotice({ view: { asOf, knownAt }, overview, onChange }: PastNoticeProps) {
  if (asOf === null && knownAt === null) return null
  const isForecast = asOf !== null && asOf > overview.today
  const parts = [
    asOf !== null &&
      (isForecast
        ? `Forecast until ${formatDay(asOf)}: what is paid is recognized until then`
        : `As of the end of ${formatDay(asOf)}`),
    knownAt !== null && `with what was known at ${knownInWords(knownAt)}`,
  ].filter(Boolean)
  return (
    <div className="report-past">
      <p className="num">{parts.join(', ')}.</p>
      <Button look="link" onClick={() => onChange({ asOf: null, knownAt: null, page: null })}>
        Back to today
      </Button>
    </div>
  )
}

/** States which events the figures of this page lack. Exported files have them. */
export function BehindNotice({ paused_since, parked_customers, skipped_events }: ReportsOverview) {
  const waiting =
    paused_since !== null
      ? `have not changed since ${formatExactTime(paused_since)}`
      : parked_customers > 0 && `lack the latest events of ${counted(parked_customers, 'customer')}`
  const text = [
    waiting && `${waiting}: an event cannot be read. The dashboard names it.`,
    skipped_events > 0 && `lack ${counted(skipped_events, 'event')} that an operator skipped.`,
  ]
    .filter(Boolean)
    .join(' They ')
  return (
    text && (
      <p className="report-past" role="status">
        These figures {text}
      </p>
    )
  )
}

const counted = (count: number, what: string) => `${count} ${what}${count > 1 ? 's' : ''}`

/** A day means its end. */
const knownInWords = (at: string) =>
  at.length > 10 ? formatExactTime(at) : `the end of ${formatDay(at)}`
