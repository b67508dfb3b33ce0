import dayjs from 'dayjs'
import type { NextStep } from '#contracts/receivables/messages'
import { ofNewerRelease } from '../../../lib/of-newer-release.ts'
import { Mark } from '../../../ui/mark.tsx'
import { plannedMark } from '../messages/message-words.ts'

/** What is next for an invoice: the day of its message, or why none goes out. */
export function NextStepCell({ step }: { readonly step: NextStep }) {
  const { kind, channel, note } = step
  return (
    <span className="next-step">
      {kind === 'message' && channel !== null && <Mark kind={plannedMark(channel)} />}
      {(kind === 'skip' || kind === 'wait') && <Mark kind="skipped" />}
      <span>
        {titleOf(step)}
        <small>{note}</small>
      </span>
    </span>
  )
}

function titleOf({ kind, day }: NextStep): string {
  switch (kind) {
    case 'message':
      return day === null ? '' : dayjs.utc(day).format('ddd, MMM D')
    case 'wait':
      return 'Waits'
    case 'skip':
      return 'None goes out'
    case 'none':
      return 'No step left'
    case 'still':
      return 'Nothing goes out'
    default:
      return ofNewerRelease(kind)
  }
}
