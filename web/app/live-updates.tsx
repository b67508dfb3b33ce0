import { useEffect } from 'react'
import { useStore } from 'react-redux'
import { setConnected } from '../api/live/live-state.ts'
import type { AppStore } from '../api/store.ts'
import { useStored } from '../lib/stored-values.ts'

/**
 * Keeps the administrator's pages up to date while an administrator is signed in. The code is a
 * separate chunk: the first rows do not wait for it.
 */
export function LiveUpdates() {
  const store = useStore() as AppStore
  const isSignedIn = useStored('adminAuthenticated') === 'true'
  useEffect(() => {
    if (!isSignedIn || !('EventSource' in window)) return undefined
    let isOver = false
    let stop: (() => void) | undefined
    import('../api/live/start-live-updates.ts').then(
      ({ startLiveUpdates }) => {
        if (!isOver) stop = startLiveUpdates(store)
      },
      // The page says that live updates are interrupted. Reloading it loads the code again.
      () => setConnected(false),
    )
    return () => {
      isOver = true
      stop?.()
    }
  }, [store, isSignedIn])
  return null
}
