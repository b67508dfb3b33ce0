import { useSyncExternalStore } from 'react'

/**
 * Whether the window matches a media query. Follows changes of the window. False in prerendered
 * HTML.
 */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => window.matchMedia(query).matches,
    () => false,
  )
}
