import type { AdministratorItem } from '#contracts/admin/administrators'
import { useRemovePasskeysMutation } from '../../../api/administrators-api.ts'
import { errorText } from '../../../lib/http.ts'
import { showToast } from '../../../lib/toasts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'

interface RemovePasskeysDialogProps {
  readonly person: AdministratorItem
  /** True for the administrator who is signed in. */
  readonly isOwn: boolean
  readonly onClose: () => void
}

/** After the loss of a device: all passkeys of the person, and the sessions. */
export function RemovePasskeysDialog({ person, isOwn, onClose }: RemovePasskeysDialogProps) {
  const [remove, { isLoading, error }] = useRemovePasskeysMutation()
  const { name, email, passkeys } = person
  const count = passkeys === 1 ? '1 passkey' : `${passkeys} passkeys`

  async function confirm(): Promise<void> {
    const { data } = await remove({ id: person.id })
    if (data === undefined) return
    showToast('success', data.message)
    onClose()
  }

  return (
    <ConfirmDialog
      title={`Remove all passkeys of ${name}?`}
      action={`Remove ${count}`}
      busy={isLoading}
      problem={error === undefined ? null : errorText(error, 'Failed to remove the passkeys')}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>
        <b>{name}</b> ({email}) {isOwn ? 'stays signed in here only' : 'is signed out at once'}. The
        next sign-in needs the password and a mailed code. {isOwn && 'This is you.'}
      </p>
      <p>
        Do this after the loss of a device. <b>This cannot be undone</b>: the person adds new
        passkeys after the sign-in.
      </p>
    </ConfirmDialog>
  )
}
