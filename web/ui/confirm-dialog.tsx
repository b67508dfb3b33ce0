import { useId, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorBox } from './error-box.tsx'
import './confirm-dialog.css'

interface ConfirmDialogProps {
  readonly title: string
  /** The text of the button that acts. Null: the dialog only says something. */
  readonly action: string | null
  /** False for an action that takes nothing away. */
  readonly isRisky?: boolean
  /** The text of the button that closes the dialog, or calls `onDismiss`. */
  readonly dismiss?: string
  readonly busy: boolean
  /** True if something must be entered first. */
  readonly disabled?: boolean
  /** The reason why the last attempt failed, or null. */
  readonly problem: string | null
  readonly onConfirm: () => void
  /** Default: closes the dialog. */
  readonly onDismiss?: () => void
  readonly onClose: () => void
  /** What happens, before it happens. */
  readonly children: ReactNode
}

/** Asks before an action, and states what the action does. */
export function ConfirmDialog({
  title,
  action,
  isRisky = true,
  dismiss = 'Cancel',
  busy,
  disabled = false,
  problem,
  onConfirm,
  onClose,
  onDismiss = onClose,
  children,
}: ConfirmDialogProps) {
  const titleId = useId()
  return (
    <Dialog labelledBy={titleId} width="confirm" onClose={onClose}>
      <form
        className="confirm"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy && !disabled) onConfirm()
        }}
      >
        <h2 id={titleId}>{title}</h2>
        <div className="confirm-text">{children}</div>
        <ErrorBox text={problem} />
        <div className="confirm-actions">
          <Button look="line" size="md" onClick={onDismiss}>
            {dismiss}
          </Button>
          {action !== null && (
            <Button
              type="submit"
              look={isRisky ? 'risk' : 'ink'}
              size="md"
              busy={busy}
              disabled={disabled}
            >
              {action}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}
