import { useState } from 'react'
import type { AdminUser } from '#contracts/admin/users'
import { useUpdateUserEmailMutation } from '../../../api/admin-api.ts'
import { errorText } from '../../../lib/http.ts'
import { showToast } from '../../../lib/toasts.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { usePageDialog } from '../page-dialogs.tsx'
import { useMay } from '../use-may.ts'

/** Sets a second address that the user can sign in with. */
export function SecondaryEmailButton({ user }: { user: AdminUser }) {
  const showDialog = usePageDialog()
  if (!useMay('secondary-email')) return null
  return (
    <Button
      look="line"
      size="sm"
      onClick={() => showDialog((close) => <SecondaryEmailDialog user={user} onClose={close} />)}
    >
      {actionFor(user)}
    </Button>
  )
}

const actionFor = ({ secondary_email }: AdminUser) =>
  secondary_email === null ? 'Add Secondary Email' : 'Update Secondary Email'

function SecondaryEmailDialog({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const [email, setEmail] = useState('')
  const [update, { isLoading, error }] = useUpdateUserEmailMutation()

  async function confirm(): Promise<void> {
    const { data } = await update({ userId: user.user_id, email, type: 'secondary' })
    if (data === undefined) return
    showToast('success', data.message)
    onClose()
  }

  return (
    <ConfirmDialog
      title={actionFor(user)}
      action={actionFor(user)}
      isRisky={false}
      busy={isLoading}
      disabled={email.trim() === ''}
      problem={error === undefined ? null : errorText(error, 'Failed to update email')}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>
        <b>{user.email}</b> can also sign in with this address.
        {user.secondary_email !== null && ` It replaces ${user.secondary_email}.`}
      </p>
      <TextField
        label="Secondary email"
        type="email"
        autoComplete="off"
        autoFocus

        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
    </ConfirmDialog>
  )
}
