import { Button } from '../../../ui/button.tsx'
import type { Seen } from './use-seen.ts'

interface SeenNoticeProps {
  /** The number of the invoice, or the name of the client. */
  readonly what: string
  readonly change: Omit<Seen<unknown>, 'seen'>
  /** Then the act is repeated as it was: the change may be the act itself. */
  readonly isLost: boolean
}

/** Says that what a form was opened with has changed. */
export function SeenNotice({ what, change: { state, renew }, isLost }: SeenNoticeProps) {
  return (
    <div className="act-changed" role="status">
      {state === 'renewed' && (
        <p>{what} has changed. This form now shows it as it is. What you entered stays.</p>
      )}
      {state === 'behind' && !isLost && (
        <>
          <p>{what} has changed since this form was opened.</p>
          <Button look="link" onClick={renew}>
            Show the change
          </Button>
        </>
      )}
    </div>
  )
}
