import { Button } from '../../../ui/button.tsx'
import { PauseIcon, PlayIcon } from '../../../ui/icons.tsx'
import type { Rotation } from './use-rotation.ts'
import './rotation.css'

/** Pauses and resumes a rotation. `what` names the rotating parts. Renders nothing at a stop. */
export function RotationButton({
  rotation: { isPaused, isStopped, togglePause },
  what,
}: {
  rotation: Rotation
  what: string
}) {
  if (isStopped) return null
  return (
    <Button
      look="line"
      className="rotation-button"
      aria-label={`${isPaused ? 'Resume' : 'Pause'} ${what}`}
      onClick={togglePause}
    >
      {isPaused ? <PlayIcon /> : <PauseIcon />}
    </Button>
  )
}
