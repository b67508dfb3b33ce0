import { useState, type ReactNode } from 'react'
import { errorText } from '../../../lib/http.ts'
import { showToast } from '../../../lib/toasts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import type { Decision } from './decision.ts'

interface DecisionDialogProps {
  readonly decision: Decision
  readonly title: string
  readonly action: string
  readonly busy: boolean
  /** Of the last try. */
  readonly error: unknown
  /** Undefined if the decision failed. */
  readonly onDecide: (why: {
    readonly why?: string
  }) => Promise<{ readonly message: string } | undefined>
  readonly onClose: () => void
  /** What was proposed, and what the decision does. */
  readonly children: ReactNode
}

/** Asks for the confirmation of a decision, and for the reason to decline. */
export function DecisionDialog({
  decision,
  title,
  action,
  busy,
  error,
  onDecide,
  onClose,
  children,
}: DecisionDialogProps) {
  const [why, setWhy] = useState('')

  async function confirm(): Promise<void> {
    const decided = await onDecide(decision === 'decline' ? { why: why.trim() } : {})
    if (decided === undefined) return
    showToast('success', decided.message)
    onClose()
  }

  return (
    <ConfirmDialog
      title={title}
      action={action}
      busy={busy}
      disabled={decision === 'decline' && why.trim() === ''}
      problem={
        error === undefined
          ? null
          : errorText(error, 'The answer was lost. Try again: it is decided once.')
      }
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {children}
      {decision === 'decline' && (
        <TextField
          label="Reason for the history"
          autoComplete="off"
          value={why}
          onChange={(event) => setWhy(event.target.value)}
        />
      )}
    </ConfirmDialog>
  )
}
