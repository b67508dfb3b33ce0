import type { Paying } from '#contracts/receivables/paying'
import type { OpenFigure } from './figure-drawer.tsx'
import { money } from './amounts.ts'
import { countOf } from './days.ts'
import { Readout } from './readout.tsx'

interface PayingReadoutProps {
  readonly paying: Paying
  /** Undefined: of all clients. */
  readonly client?: string
  readonly onOpen: (figure: OpenFigure) => void
}

const ofClient = (client: string | undefined) => (client === undefined ? {} : { client })

/** In whole percent. Never without the counts beside it. */
const percent = (part: number, count: number) => `${Math.round((part / count) * 100)}%`

const inDays = (days: number) => (
  <>
    {days.toFixed(1)}
    <small>days</small>
  </>
)

/** From issue to full payment. */
export function DaysToPay({ paying, client, onOpen }: PayingReadoutProps) {
  const { days, count } = paying.daysToPay
  return (
    <Readout
      label="Average days to pay"
      figure={days === null ? 'None' : inDays(days)}
      note={
        days === null
          ? 'No invoice with an issue date paid in full in 90 days'
          : `From issue, 90 days, ${countOf(count, 'invoice')}`
      }
      opens="Events of days to pay"
      onOpen={() =>
        onOpen({
          figure: 'daysToPay',
          title: 'Average days to pay',
          shown: days === null ? 'None' : `${days.toFixed(1)} days`,
          ...ofClient(client),
        })
      }
    />
  )
}

/** By the countback method. */
export function SalesOutstanding({ paying, onOpen }: PayingReadoutProps) {
  const { dso, currency } = paying
  if (dso === null) return null
  const { days, outstanding } = dso
  return (
    <Readout
      label="Days sales outstanding"
      figure={days === null ? 'Unknown' : inDays(days)}
      note={
        days === null
          ? 'Less was invoiced than is outstanding'
          : `Of invoicing equal ${money(outstanding, currency)} outstanding`
      }
      opens="Events of days sales outstanding"
      onOpen={() =>
        onOpen({
          figure: 'dso',
          title: 'Days sales outstanding',
          shown: days === null ? 'Unknown' : `${days.toFixed(1)} days`,
        })
      }
    />
  )
}

export function PromisesKept({ paying, client, onOpen }: PayingReadoutProps) {
  const { count, kept } = paying.promises
  const shown = count === 0 ? 'None' : percent(kept, count)
  return (
    <Readout
      label="Promises kept"
      figure={shown}
      note={
        count === 0
          ? 'No promised day passed in 90 days'
          : `${kept} of ${countOf(count, 'promise')}, 90 days`
      }
      opens="Events of promises kept"
      onOpen={() =>
        onOpen({ figure: 'promises', title: 'Promises kept', shown, ...ofClient(client) })
      }
    />
  )
}

export function RemindersFollowed({ paying, client, onOpen }: PayingReadoutProps) {
  const { count, followed } = paying.reminders
  const shown = count === 0 ? 'None' : percent(followed, count)
  return (
    <Readout
      label="Paid within 3 days of a reminder"
      figure={shown}
      note={
        count === 0
          ? 'No reminder went out in 90 days'
          : `${followed} of ${countOf(count, 'message')}, 90 days`
      }
      opens="Events of reminders"
      onOpen={() =>
        onOpen({
          figure: 'reminders',
          title: 'Paid within 3 days of a reminder',
          shown,
          ...ofClient(client),
        })
      }
    />
  )
}
