import { useEffect } from 'react'
import { useStore } from 'react-redux'
import { startLiveUpdates } from '../api/live/start-live-updates.ts'
import type { AppStore } from '../api/store.ts'
import { useStored } from '../lib/stored-values.ts'

/** Keeps the administrator's pages up to date while an administrator is signed in. */
export function LiveUpdates() {
  const store = useStore() as AppStore
  const isSignedIn = useStored('adminAuthenticated') === 'true'
  useEffect(() => {
    if (!isSignedIn || !('EventSource' in window)) return undefined
    return startLiveUpdates(store)
  }, [store, isSignedIn])
  return null
}
