import { useEffect, useRef, type RefObject } from 'react'

/** Puts the focus into a form's first field when the form appears, as when one step follows another. */
export function useFirstFieldFocus(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  return form
}
