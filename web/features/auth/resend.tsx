import { useSyncExternalStore } from 'react'
import { resendAfterSeconds } from '#contracts/auth'
import { Button } from '../../ui/button.tsx'
import './resend.css'

interface ResendProps {
  /** The instant, in milliseconds, from which the server accepts another code request. */
  readonly resendAt: number
  readonly busy: boolean
  readonly onResend: () => void
}

/** A line that shortens during the wait (full at `resendAfterSeconds`), then the resend button. */
export function Resend({ resendAt, busy, onResend }: ResendProps) {
  const seconds = useSecondsUntil(resendAt)
  if (seconds === 0) {
    return (
      <div className="resend">
        <span>No code yet?</span>
        <Button look="link" busy={busy} onClick={onResend}>
          Resend code
        </Button>
      </div>
    )
  }
  return (
    <div className="resend">
      <span className="resend-time" aria-hidden="true">
        <i style={{ scale: `${Math.min(seconds / resendAfterSeconds, 1)} 1` }} />
      </span>
      <span className="num" role="timer">{`Resend in ${seconds} s`}</span>
    </div>
  )
}

/**
 * Whole seconds until an instant; 0 after it. Each tick reads the clock, so that a suspended tab
 * shows the right value.
 */
export function useSecondsUntil(instant: number): number {
  return useSyncExternalStore(everyQuarterSecond, () =>
    Math.max(0, Math.ceil((instant - Date.now()) / 1000)),
  )
}

function everyQuarterSecond(onTick: () => void): () => void {
  const timer = setInterval(onTick, 250)
  return () => clearInterval(timer)
}
