import type { CSSProperties } from 'react'
import { toneOf } from '../shared/age-tone.ts'
import './age-bar.css'

/** The aging scale at 72 px: a tick at the due date, left is to come, right is late. */
export function AgeBar({ daysOverdue }: { daysOverdue: number }) {
  const late = Math.min(1, Math.max(0, daysOverdue) / 90)
  const early = Math.min(1, Math.max(0, -daysOverdue) / 30)
  const style: CSSProperties =
    daysOverdue >= 0
      ? { left: '19px', width: `${late * 53}px` }
      : { left: `${18 - early * 18}px`, width: `${early * 18}px` }
  return (
    <span className={`age-bar ${toneOf(daysOverdue)}`} aria-hidden="true">
      <i style={style} />
    </span>
  )
}
