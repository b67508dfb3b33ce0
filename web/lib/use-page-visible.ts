import { useSyncExternalStore } from 'react'

/** Whether the page's tab is shown. True in prerendered HTML. */
export function usePageVisible(): boolean {
  return useSyncExternalStore(
    (listener) => {
      document.addEventListener('visibilitychange', listener)
      return () => document.removeEventListener('visibilitychange', listener)
    },
    () => document.visibilityState === 'visible',
    () => true,
  )
}
