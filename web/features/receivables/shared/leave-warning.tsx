import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'

interface LeaveWarningProps {
  /** Something is typed and not saved. */
  readonly when: boolean
  /** What would be lost: `The changes of the schedule`. */
  readonly what: string
}

/** How the page is left: to an address, or by the browser's button. */
type Leaving = { readonly to: string } | 'back'

/**
 * Asks before unsaved changes are lost: on a link, on the browser's button, and when the window
 * closes. The browser asks about its window in its own words.
 */
export function LeaveWarning({ when, what }: LeaveWarningProps) {
  const [leaving, setLeaving] = useState<Leaving | null>(null)
  const navigate = useNavigate()

  useEffect(() => (when ? guardPage(setLeaving) : undefined), [when])

  if (leaving === null || !when) return null

  function leave(to: Leaving): void {
    if (to === 'back') window.history.back()
    // After the event of the form: the router's transition is none of its action.
    else queueMicrotask(() => void navigate(to.to))
  }

  function stay(): void {
    if (leaving === 'back') addEntry()
    setLeaving(null)
  }

  return (
    <ConfirmDialog
      title="Leave without saving?"
      action="Leave"
      dismiss="Stay"
      busy={false}
      problem={null}
      onConfirm={() => leave(leaving)}
      onClose={stay}
    >
      <p>{what} are not saved, and are lost if you leave this page.</p>
    </ConfirmDialog>
  )
}

function guardPage(ask: (leaving: Leaving) => void): () => void {
  const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
  const onClick = (event: MouseEvent) => {
    const to = addressOf(event)
    if (to === null) return
    event.preventDefault()
    event.stopPropagation()
    ask({ to })
  }
  const onHistory = () => ask('back')

  addEntry()
  window.addEventListener('beforeunload', onUnload)
  // Before the link and the router see the event.
  document.addEventListener('click', onClick, true)
  window.addEventListener('popstate', onHistory)
  return () => {
    window.removeEventListener('beforeunload', onUnload)
    document.removeEventListener('click', onClick, true)
    window.removeEventListener('popstate', onHistory)
  }
}

/**
 * A second entry of the same page: the browser's button leads to the first one, on which the page
 * stays as it is. The entry remains after a save, so that one more press may be needed then.
 */
function addEntry(): void {
  const state: unknown = window.history.state
  const known = typeof state === 'object' && state !== null ? state : {}
  if (!('isGuard' in known)) window.history.pushState({ ...known, isGuard: true }, '')
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
