import { useCallback, useEffect, useRef, type RefObject } from 'react'

interface FirstField {
  readonly form: RefObject<HTMLFormElement | null>
  /** For a form that was refused. */
  readonly focus: () => void
}

/** Focuses the first field of a form when the form appears. */
export function useFirstFieldFocus(): FirstField {
  const form = useRef<HTMLFormElement>(null)
  const focus = useCallback(() => form.current?.querySelector('input')?.focus(), [])
  useEffect(focus, [focus])
  return { form, focus }
}
