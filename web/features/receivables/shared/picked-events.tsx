import { Button } from '../../../ui/button.tsx'
import { countOf } from './days.ts'

interface PickedEventsProps {
  /** The label of the figure. */
  readonly figure: string
  readonly count: number
  readonly onShowAll: () => void
}

/** Above a history that shows the events of one figure only. */
export function PickedEvents({ figure, count, onShowAll }: PickedEventsProps) {
  return (
    <p className="rcv-restricted" role="status">
      Only {countOf(count, 'event')} of “{figure}”.{' '}
      <Button look="link" onClick={onShowAll}>
        Show all
      </Button>
    </p>
  )
}
