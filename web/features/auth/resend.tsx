import { useSyncExternalStore } from 'react'
import { Button } from '../../ui/button.tsx'
import './resend.css'

/** The longest wait that the server sets between two codes, in seconds: a full line. */
const fullWait = 60

interface ResendProps {
  /** The instant, in milliseconds, from which another code may be asked for. */
  readonly resendAt: number
  readonly busy: boolean
  readonly onResend: () => void
}

/** A line that shortens while another code would be refused, then the button that asks for one. */
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
        <i style={{ scale: `${Math.min(seconds / fullWait, 1)} 1` }} />
      </span>
      <span className="num" role="timer">{`Resend in ${seconds} s`}</span>
    </div>
  )
}

/** Whole seconds from now until an instant, 0 once it has passed. Read from the clock, so a sleeping tab catches up. */
export function useSecondsUntil(instant: number): number {
  return useSyncExternalStore(everyQuarterSecond, () =>
    Math.max(0, Math.ceil((instant - Date.now()) / 1000)),
  )
}

function everyQuarterSecond(onTick: () => void): () => void {
  const timer = setInterval(onTick, 250)
  return () => clearInterval(timer)
}
