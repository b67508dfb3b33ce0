import type { ComingMessages, ComingStep } from '#contracts/receivables/messages'
import { Button } from '../../../ui/button.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { clockTime, longDay } from '../shared/days.ts'
import { messageName, reasonsOf } from './message-words.ts'
import './message-dialog.css'

interface NextMessageProps {
  readonly coming: ComingMessages
  readonly timeZone: string
  /** The page's invoice. Null on the page of a client. */
  readonly receivableId: string | null
  readonly mayAct: boolean
  readonly onSendNow: () => void
  readonly onSkip: (step: ComingStep) => void
}

/** The message that goes out next, or why nothing does. */
export function NextMessage({
  coming,
  timeZone,
  receivableId,
  mayAct,
  onSendNow,
  onSkip,
}: NextMessageProps) {
  const [next] = coming.messages
  const own = next?.steps.filter((step) => step.receivableId === receivableId) ?? []
  const [step] = own
  return (
    <div className="next-panel">
      <Panel title="Next message" padded={false}>
        <div className="next-message">
          {next === undefined ? (
            <p>{stillWords(coming)}</p>
          ) : (
            <>
              <b>
                {longDay(next.day)}, {clockTime(next.at, timeZone)}
              </b>
              <span>{messageName(next)}</span>
              <p dir="auto">{reasonsOf(next, receivableId)}</p>
              {coming.stillness !== null && <p>{coming.stillness}</p>}
            </>
          )}
        </div>
        {mayAct && (
          <div className="next-acts">
            <Button look="line" onClick={onSendNow}>
              Send now
            </Button>
            {step !== undefined && own.length === 1 && next?.isByHand === false && (
              <Button look="link" onClick={() => onSkip(step)}>
                Skip this step
              </Button>
            )}
          </div>
        )}
      </Panel>
    </div>
  )
}

function stillWords({ stillness, waiting, skips }: ComingMessages): string {
  if (stillness !== null) return stillness
  const [step] = waiting
  if (step !== undefined) return step.reason
  const [skip] = skips
  return skip === undefined ? 'No step of the schedule is left.' : skip.reason
}
