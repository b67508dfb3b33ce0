import type { CSSProperties } from 'react'
import './mark.css'

/** What happened to an invoice or a subscription, as a mark on the line. */
export type MarkKind =
  | 'sent'
  | 'email'
  | 'text'
  | 'opened'
  | 'change'
  | 'refund'
  | 'paid'
  | 'failed'
  | 'now'

interface MarkProps {
  readonly kind: MarkKind
  readonly size?: 'md' | 'lg'
  readonly className?: string
  /** Where it sits on its line. */
  readonly style?: CSSProperties
}

/** Silent for screen readers: the words stand beside it. */
export function Mark({ kind, size = 'md', className = '', style }: MarkProps) {
  return (
    <i
      className={`mark mark-${kind} ${size === 'lg' ? 'mark-lg' : ''} ${className}`}
      style={style}
      aria-hidden="true"
    />
  )
}
