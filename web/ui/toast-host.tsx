import { useEffect, useRef, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useTopDialog } from '../lib/open-dialogs.ts'
import {
  dismissToast,
  holdToast,
  limitToasts,
  releaseToast,
  useToasts,
  type Toast,
  type ToastKind,
} from '../lib/toasts.ts'
import { Button } from './button.tsx'
import { CloseIcon } from './icons.tsx'
import { Mark, type MarkKind } from './mark.tsx'
import { Spinner } from './spinner.tsx'
import './toast-host.css'

const marks: Readonly<Record<Exclude<ToastKind, 'loading'>, MarkKind>> = {
  error: 'failed',
  success: 'paid',
  blank: 'now',
}

function ToastPanel({ toast }: { toast: Toast }) {
  return (
    <div
      className="toast"
      role={toast.kind === 'error' ? 'alert' : 'status'}
      onPointerEnter={() => holdToast(toast.id)}
      onPointerLeave={() => releaseToast(toast.id)}
      onFocus={() => holdToast(toast.id)}
      onBlur={() => releaseToast(toast.id)}
    >
      {toast.kind === 'loading' ? <Spinner /> : <Mark kind={marks[toast.kind]} />}
      <span>
        {toast.title !== undefined && <b>{toast.title}</b>}
        {toast.text}
      </span>
      <Button look="quiet" size="sm" aria-label="Dismiss" onClick={() => dismissToast(toast.id)}>
        <CloseIcon />
      </Button>
    </div>
  )
}

/**
 * Shows at most `limit` toasts at the top center, newest first. While a modal dialog is open, the
 * toasts are part of it: the rest of the page is inert.
 */
export function ToastHost({ limit }: { limit: number }) {
  const toasts = useToasts()
  const dialog = useTopDialog()

  useEffect(() => limitToasts(limit), [toasts, limit])

  const panels = toasts.slice(0, limit).map((toast) => <ToastPanel key={toast.id} toast={toast} />)
  if (dialog === null) return <div className="toasts">{panels}</div>
  if (panels.length === 0) return null
  return createPortal(<ToastLayer>{panels}</ToastLayer>, dialog)
}

/** A layer above the dialog that contains it, which would cut off what is beside it. */
function ToastLayer({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const layer = ref.current
    // The dialog can close in the render that brings the toast, as after a successful command. The
    // browser cannot show a layer that has left the document. The page then shows the toast.
    if (layer === null || !layer.isConnected) return
    // Browsers without popovers show the layer within the dialog.
    if (typeof layer.showPopover === 'function') layer.showPopover()
  }, [])
  return (
    <div ref={ref} className="toasts" popover="manual">
      {children}
    </div>
  )
}
