import { useEffect, useState } from 'react'
import { useDispatch, useSelector } from 'react-redux'
import { adminTags } from '../../api/admin-api.ts'
import { api } from '../../api/api.ts'
import type { AppStore } from '../../api/store.ts'
import { dismissToast, showToast } from '../../lib/toasts.ts'

type State = ReturnType<AppStore['getState']>

interface Refreshing {
  readonly since: number
  readonly toast: number
}

/**
 * Refetches all data that the page shows and reports the result in a toast. The hook watches the
 * cache instead of single queries, so that a new list takes part by its tag.
 */
export function useRefresh(): { refresh: () => void; refreshing: boolean } {
  const dispatch = useDispatch<AppStore['dispatch']>()
  const [current, setCurrent] = useState<Refreshing | null>(null)
  const pending = useSelector(anyPending)
  const failed = useSelector(
    (state: State) => current !== null && anyFailedSince(state, current.since),
  )

  useEffect(() => {
    if (current === null || pending) return
    dismissToast(current.toast)
    if (failed) showToast('error', 'Failed to refresh data')
    else showToast('success', 'Data refreshed successfully')
    setCurrent(null)
  }, [current, pending, failed])

  function refresh(): void {
    setCurrent({ since: Date.now(), toast: showToast('loading', 'Refreshing data...') })
    dispatch(api.util.invalidateTags([...adminTags]))
  }

  return { refresh, refreshing: current !== null }
}

const queries = (state: State) => Object.values(state.api.queries)

const anyPending = (state: State) => queries(state).some((query) => query?.status === 'pending')

const anyFailedSince = (state: State, since: number) =>
  queries(state).some(
    (query) => query?.status === 'rejected' && (query.startedTimeStamp ?? 0) >= since,
  )
