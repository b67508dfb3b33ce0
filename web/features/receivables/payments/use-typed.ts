import { useState } from 'react'

/** A setting that is one text, and what was typed into it. */
export interface TypedSetting {
  readonly text: string
  readonly saved: string | null
  /** What was saved when the typing began: a change of another window is not replaced. */
  readonly seen: string | null
  readonly isDirty: boolean
  readonly type: (text: string) => void
  /** Shows what is saved again. */
  readonly forget: () => void
}

export function useTyped(saved: string | null): TypedSetting {
  const [typed, setTyped] = useState<{
    readonly text: string
    readonly seen: string | null
  } | null>(null)
  const text = typed?.text ?? saved ?? ''
  return {
    text,
    saved,
    seen: typed?.seen ?? saved,
    isDirty: typed !== null && text.trim() !== (saved ?? ''),
    type: (next) => setTyped((before) => ({ text: next, seen: before?.seen ?? saved })),
    forget: () => setTyped(null),
  }
}
