import { useState, type ReactNode } from 'react'
import { sendingAct, type SendingAct, type SendingResponse } from '#contracts/admin/sending'
import type { AdminUser } from '#contracts/admin/users'
import { useActOnSendingMutation } from '../../../api/admin-api.ts'
import { errorText } from '../../../lib/http.ts'
import { showToast } from '../../../lib/toasts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { TextField } from '../../../ui/field.tsx'

interface DialogProps {
  readonly user: AdminUser
  readonly onClose: () => void
}

/** Stops all messages of a merchant, with a reason that the merchant reads. */
export function StopSendingDialog({ user, onClose }: DialogProps) {
  const [reason, setReason] = useState('')
  return (
    <SendingDialog
      user={user}
      title="Stop messages"
      isRisky
      act={{ type: 'stop', reason }}
      onClose={onClose}
    >
      <p>
        No client of <b>{user.email}</b> gets a message from now on. The merchant reads the reason
        on its schedule. The portal and payments stay open.
      </p>
      <TextField
        label="Reason"
        autoFocus
        autoComplete="off"
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
    </SendingDialog>
  )
}

export function AllowSendingDialog({ user, onClose }: DialogProps) {
  return (
    <SendingDialog user={user} title="Allow messages" act={{ type: 'allow' }} onClose={onClose}>
      <p>
        The clients of <b>{user.email}</b> get messages again, if its reminders are on.
      </p>
    </SendingDialog>
  )
}

/** How many clients the merchant may message in a day. */
export function SendingLimitsDialog({
  user,
  limits,
  onClose,
}: DialogProps & { readonly limits: SendingResponse['limits'] }) {
  const [firstWeek, setFirstWeek] = useState(String(limits.firstWeek))
  const [later, setLater] = useState(String(limits.later))
  const act = {
    type: 'set-limits',
    limits: { firstWeek: Number(firstWeek), later: Number(later) },
  } as const
  return (
    <SendingDialog user={user} title="Change limits" act={act} onClose={onClose}>
      <p>
        How many clients <b>{user.email}</b> may message in a day: 1 to 100,000. The rest waits for
        the next day.
      </p>
      <TextField
        label="In the first week"
        inputMode="numeric"
        autoComplete="off"
        value={firstWeek}
        onChange={({ target }) => setFirstWeek(target.value)}
      />
      <TextField
        label="Later"
        inputMode="numeric"
        autoComplete="off"
        value={later}
        onChange={({ target }) => setLater(target.value)}
      />
    </SendingDialog>
  )
}

interface SendingDialogProps extends DialogProps {
  readonly title: string
  readonly isRisky?: boolean
  readonly act: SendingAct
  readonly children: ReactNode
}

function SendingDialog({
  user,
  title,
  isRisky = false,
  act,
  onClose,
  children,
}: SendingDialogProps) {
  const [send, { isLoading, error }] = useActOnSendingMutation()

  async function confirm(): Promise<void> {
    const { data } = await send({ userId: user.user_id, act })
    if (data === undefined) return
    showToast('success', data.message)
    onClose()
  }

  return (
    <ConfirmDialog
      title={title}
      action={title}
      isRisky={isRisky}
      busy={isLoading}
      disabled={!sendingAct.safeParse(act).success}
      problem={error === undefined ? null : errorText(error, `${title}: the server did not answer`)}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {children}
    </ConfirmDialog>
  )
}
