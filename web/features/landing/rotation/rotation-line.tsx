import type { Rotation } from './use-rotation.ts'
import './rotation.css'

/** The time of a part: a line that fills during the part's turn. */
export function RotationLine({
  rotation: { index, seconds, isRunning },
  part,
}: {
  rotation: Rotation
  part: number
}) {
  const isOn = part === index
  return (
    <i
      className={`rotation-line ${isOn ? `rotation-${seconds}s` : ''} ${isRunning ? '' : 'rotation-held'}`}
      aria-hidden="true"
    />
  )
}
