import { useEffect, useRef, useState, type FocusEvent } from 'react'
import { useMediaQuery } from '../../../lib/use-media-query.ts'
import { usePageVisible } from '../../../lib/use-page-visible.ts'

export interface Rotation {
  readonly index: number
  /** The duration of a turn. */
  readonly seconds: RotationSeconds
  /** Whether the time of the current turn runs. */
  readonly isRunning: boolean
  /** Whether the visitor pressed Pause. */
  readonly isPaused: boolean
  /** Whether the rotation never runs again: after `stop`, or if the visitor prefers less motion. */
  readonly isStopped: boolean
  readonly togglePause: () => void
  readonly stop: () => void
  /** Shows a part for a whole turn. */
  readonly show: (index: number) => void
  /** For each element that holds the time while it has the pointer or the focus. */
  readonly held: HeldProps
}

/** The style sheet has an animation for each of these durations. */
export type RotationSeconds = 4 | 5 | 6

interface HeldProps {
  readonly onPointerEnter: () => void
  readonly onPointerLeave: () => void
  readonly onFocus: () => void
  readonly onBlur: (event: FocusEvent) => void
}

/**
 * Shows `count` parts one after another, from the first again after the last. The time stops by a
 * button, under the pointer, under the focus, in a hidden tab and if the visitor prefers reduced
 * motion (WCAG 2.2.2). After a stop, a turn continues with the time that was left.
 */
export function useRotation(count: number, seconds: RotationSeconds): Rotation {
  const prefersLessMotion = useMediaQuery('(prefers-reduced-motion: reduce)')
  const isVisible = usePageVisible()
  const [turn, setTurn] = useState({ index: 0 })
  const [isPaused, setPaused] = useState(false)
  const [wasStopped, setStopped] = useState(false)
  const [hasPointer, setPointer] = useState(false)
  const [hasFocus, setFocus] = useState(false)
  /** Milliseconds of this turn that have passed. */
  const passed = useRef({ turn, ms: 0 })

  const isStopped = wasStopped || prefersLessMotion
  const isRunning = isVisible && !isStopped && !isPaused && !hasPointer && !hasFocus

  useEffect(() => {
    if (passed.current.turn !== turn) passed.current = { turn, ms: 0 }
    if (!isRunning) return undefined
    const { ms } = passed.current
    const startedAt = performance.now()
    const timer = setTimeout(
      () => setTurn({ index: (turn.index + 1) % count }),
      Math.max(0, seconds * 1000 - ms),
    )
    return () => {
      clearTimeout(timer)
      passed.current = { turn, ms: ms + performance.now() - startedAt }
    }
  }, [turn, isRunning, count, seconds])

  return {
    index: turn.index,
    seconds,
    isRunning,
    isPaused,
    isStopped,
    togglePause: () => setPaused(!isPaused),
    stop: () => setStopped(true),
    show: (index) => setTurn({ index }),
    held: {
      onPointerEnter: () => setPointer(true),
      onPointerLeave: () => setPointer(false),
      onFocus: () => setFocus(true),
      onBlur: ({ currentTarget, relatedTarget }) => setFocus(currentTarget.contains(relatedTarget)),
    },
  }
}
