import { useEffect, useRef, type RefObject } from 'react'

/** Focuses the first field of a form when the form appears. */
export function useFirstFieldFocus(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  return form
}
