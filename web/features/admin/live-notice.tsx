import { useLiveState } from '../../api/live/live-state.ts'

/** Shown only while live updates have been broken for some seconds. */
export function LiveNotice() {
  const isInterrupted = useLiveState() === 'interrupted'
  return (
    <span className="admin-refreshed" role="status">
      {isInterrupted && 'Live updates are interrupted. Reconnecting...'}
    </span>
  )
}
