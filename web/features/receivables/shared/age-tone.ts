import './age-tone.css'

/** The class with the tone of a column of the aging scale. Older is darker. */
export function toneOf(daysOverdue: number): string {
  if (daysOverdue <= 0) return 'aging-0'
  if (daysOverdue <= 30) return 'aging-1'
  if (daysOverdue <= 60) return 'aging-2'
  return 'aging-3'
}
