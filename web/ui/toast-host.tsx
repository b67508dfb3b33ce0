import { useEffect } from 'react'
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

/** Shows at most `limit` toasts at the top center, newest first. */
export function ToastHost({ limit }: { limit: number }) {
  const toasts = useToasts()

  useEffect(() => limitToasts(limit), [toasts, limit])

  return (
    <div className="toasts">
      {toasts.slice(0, limit).map((toast) => (
        <ToastPanel key={toast.id} toast={toast} />
      ))}
    </div>
  )
}
