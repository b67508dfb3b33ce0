import type { AdministratorItem } from '#contracts/admin/administrators'
import { useEndAdministratorMutation } from '../../../api/administrators-api.ts'
import { errorText } from '../../../lib/http.ts'
import { showToast } from '../../../lib/toasts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'

interface EndDialogProps {
  readonly person: AdministratorItem
  /** True for the administrator who is signed in. */
  readonly isOwn: boolean
  readonly onClose: () => void
}

export function EndDialog({ person, isOwn, onClose }: EndDialogProps) {
  const [end, { isLoading, error }] = useEndAdministratorMutation()
  const { name, email } = person

  async function confirm(): Promise<void> {
    const { data } = await end({ id: person.id })
    if (data === undefined) return
    showToast('success', data.message)
    onClose()
  }

  return (
    <ConfirmDialog
      title={`End ${name}?`}
      action={`End ${name}`}
      busy={isLoading}
      problem={error === undefined ? null : errorText(error, 'Failed to end the administrator')}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>
        <b>{name}</b> ({email}) is signed out at once, on every device. Open pages stop, and the
        passkeys are removed.
        {isOwn && ' This is you.'}
      </p>
      <p>
        The history keeps the name. <b>This cannot be undone</b>: adding the address again makes
        another administrator.
      </p>
    </ConfirmDialog>
  )
}
