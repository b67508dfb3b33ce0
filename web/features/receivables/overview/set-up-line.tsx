import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { ReceivablesOverview } from '#contracts/receivables/overview'
import { useGetBrandQuery } from '../../../api/messages-api.ts'
import { useGetPaymentSettingsQuery } from '../../../api/payments-api.ts'
import { useGetScheduleQuery } from '../../../api/schedule-api.ts'
import { Button } from '../../../ui/button.tsx'
import { TurnOnDialog } from '../schedule/turn-dialogs.tsx'
import { instantDay } from '../shared/days.ts'

/** After the first import, until reminders are on: what is left to do, as one line. */
export function SetUpLine({ overview }: { overview: ReceivablesOverview }) {
  const { reminders, access } = overview
  if (reminders.isOn || !access.mayAct) return null
  return <Loaded overview={overview} />
}

function Loaded({ overview: { reminders, merchant } }: { overview: ReceivablesOverview }) {
  const { data: brand } = useGetBrandQuery()
  const { data: payments } = useGetPaymentSettingsQuery()
  const { data: saved } = useGetScheduleQuery()
  const [asks, setAsks] = useState(false)
  if (brand === undefined || payments === undefined || saved === undefined) return null
  const steps = [
    { name: 'Import invoices', isDone: true, to: null },
    {
      name: 'Brand',
      isDone: brand.color !== null || brand.logo !== null,
      to: '/receivables/brand',
    },
    { name: 'Payments', isDone: payments.hasWay, to: '/receivables/payments' },
    { name: 'Schedule', isDone: saved.savedAt !== null, to: '/receivables/schedule' },
    { name: 'Turn on', isDone: false, to: null },
  ]
  const next = steps.find(({ isDone, to }) => !isDone && to !== null)
  const since = reminders.since === null ? null : instantDay(reminders.since, merchant.timeZone)
  return (
    <>
      <div className="rcv-banner" role="status">
        <p>
          {since === null ? (
            <>
              <b>
                Set-up: {steps.filter(({ isDone }) => isDone).length} of {steps.length}.
              </b>{' '}
              No reminder goes out before you turn reminders on.
              {next?.to && (
                <>
                  {' '}
                  Next: <Link to={next.to}>{next.name.toLowerCase()}</Link>.
                </>
              )}
            </>
          ) : (
            <>
              <b>Reminders are off since {since}.</b> The steps of the schedule stay open.
            </>
          )}
        </p>
        <Button look="line" onClick={() => setAsks(true)}>
          Turn reminders on
        </Button>
      </div>
      {asks && <TurnOnDialog saved={saved} onClose={() => setAsks(false)} />}
    </>
  )
}
