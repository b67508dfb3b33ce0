import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'

interface LeaveWarningProps {
  /** Something is typed and not saved. */
  readonly when: boolean
  /** What would be lost: `The changes of the schedule`. */
  readonly what: string
}

/** How the page is left: to an address, or by so many entries of the browser's history. */
type Leaving = { readonly to: string } | { readonly by: number }

/**
 * Asks before unsaved changes are lost: on a link, on the browser's buttons, and when the window
 * closes. The browser asks about its window in its own words.
 */
export function LeaveWarning({ when, what }: LeaveWarningProps) {
  const [leaving, setLeaving] = useState<Leaving | null>(null)
  const navigate = useNavigate()

  useEffect(() => (when ? guardPage(setLeaving) : undefined), [when])

  if (leaving === null || !when) return null
  return (
    <ConfirmDialog
      title="Leave without saving?"
      action="Leave"
      dismiss="Stay"
      busy={false}
      problem={null}
      onConfirm={() => {
        // After the event of the form: the router's transition is none of its action.
        if ('to' in leaving) queueMicrotask(() => void navigate(leaving.to))
        else goUnasked(leaving.by)
      }}
      onClose={() => setLeaving(null)}
    >
      <p>{what} are not saved, and are lost if you leave this page.</p>
    </ConfirmDialog>
  )
}

function guardPage(ask: (leaving: Leaving) => void): () => void {
  const page = placeOf(window.history.state)
  let isReturning = false

  const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()

  const onClick = (event: MouseEvent) => {
    const to = addressOf(event)
    if (to === null) return
    event.preventDefault()
    event.stopPropagation()
    ask({ to })
  }

  const onHistory = (event: PopStateEvent) => {
    if (isUnasked) {
      isUnasked = false
      return
    }
    event.stopImmediatePropagation()
    if (isReturning) {
      isReturning = false
      return
    }
    const by = placeOf(event.state) - page
    if (by === 0) return
    isReturning = true
    window.history.go(-by)
    ask({ by })
  }

  window.addEventListener('beforeunload', onUnload)
  // Before the link and the router see the event.
  document.addEventListener('click', onClick, true)
  window.addEventListener('popstate', onHistory, true)
  return () => {
    window.removeEventListener('beforeunload', onUnload)
    document.removeEventListener('click', onClick, true)
    window.removeEventListener('popstate', onHistory, true)
  }
}

/** The next change of the history was confirmed. */
let isUnasked = false

function goUnasked(by: number): void {
  isUnasked = true
  window.history.go(by)
}

/** The router numbers the entries of the history. */
function placeOf(state: unknown): number {
  return typeof state === 'object' && state !== null && 'idx' in state ? Number(state.idx) : 0
}

/** The address of the product to which a press leads away. Null: it stays, or opens a tab. */
function addressOf(event: MouseEvent): string | null {
  const isPlain =
    event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!isPlain || !(link instanceof HTMLAnchorElement)) return null
  if (link.target !== '' && link.target !== '_self') return null
  const { origin, pathname, search, hash } = new URL(link.href)
  if (origin !== window.location.origin || link.hasAttribute('download')) return null
  return pathname === window.location.pathname ? null : `${pathname}${search}${hash}`
}
