import { useEffect } from 'react'
import { useDispatch } from 'react-redux'
import { api } from '../../../api/api.ts'

/** A focus sooner after the last one refreshes nothing. */
const pauseMs = 5_000

/**
 * Refetches the shown receivables when the person returns to the window: another window, or another
 * person of the company, may have acted meanwhile. An open form keeps what it was opened with.
 */
export function useRefreshOnFocus(): void {
  const dispatch = useDispatch()
  useEffect(() => {
    let last = 0
    function refresh(): void {
      const now = performance.now()
      if (last > 0 && now - last < pauseMs) return
      last = now
      dispatch(api.util.invalidateTags(['Receivables']))
    }
    window.addEventListener('focus', refresh)
    return () => window.removeEventListener('focus', refresh)
  }, [dispatch])
}
