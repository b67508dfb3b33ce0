import type { CSSProperties } from 'react'
import './mark.css'

/** The kind of event of an invoice or a subscription, shown as a mark on the line. */
export type MarkKind =
  | 'sent'
  | 'email'
  | 'email-unsent'
  | 'text'
  | 'text-unsent'
  | 'email-planned'
  | 'text-planned'
  | 'skipped'
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
  /** The position on the line. */
  readonly style?: CSSProperties
}

/** Hidden from screen readers: the text is beside the mark. */
export function Mark({ kind, size = 'md', className = '', style }: MarkProps) {
  return (
    <i
      className={`mark mark-${kind} ${size === 'lg' ? 'mark-lg' : ''} ${className}`}
      style={style}
      aria-hidden="true"
    />
  )
}
