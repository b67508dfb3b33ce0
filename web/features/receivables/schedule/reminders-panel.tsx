import { useState } from 'react'
import type { ScheduleResponse } from '#contracts/receivables/schedule'
import { Button } from '../../../ui/button.tsx'
import { instantDay } from '../shared/days.ts'
import { TurnOffDialog, TurnOnDialog } from './turn-dialogs.tsx'

/** Whether reminders are on, and the way to change it. Both ask first. */
export function RemindersPanel({ saved }: { saved: ScheduleResponse }) {
  const [asks, setAsks] = useState<'on' | 'off' | null>(null)
  const { isOn, isOnSince, stopped, timeZone, access } = saved
  const close = () => setAsks(null)
  return (
    <section className="panel" aria-labelledby="reminders">
      <header>
        <h2 id="reminders">Reminders</h2>
        <span>{isOn ? 'On' : 'Off'}</span>
      </header>
      <div className="schedule-state">
        {stopped !== null && (
          <p role="status">
            <b>An administrator stopped all messages</b> on {instantDay(stopped.at, timeZone)}:{' '}
            {stopped.reason}
          </p>
        )}
        <p>{stateWords(isOn, isOnSince === null ? null : instantDay(isOnSince, timeZone))}</p>
        {/* Turning off takes something away, so it needs no plan. */}
        {isOn ? (
          <Button look="line" onClick={() => setAsks('off')}>
            Turn reminders off
          </Button>
        ) : (
          access.mayAct && <Button onClick={() => setAsks('on')}>Turn reminders on</Button>
        )}
      </div>
      {asks === 'on' && <TurnOnDialog saved={saved} onClose={close} />}
      {asks === 'off' && <TurnOffDialog saved={saved} onClose={close} />}
    </section>
  )
}

function stateWords(isOn: boolean, since: string | null): string {
  if (isOn) return since === null ? 'Messages go out by the schedule.' : `On since ${since}.`
  return since === null
    ? 'Nothing goes out until you turn reminders on. You see first what that sends.'
    : `Off since ${since}. The steps stay open.`
}
