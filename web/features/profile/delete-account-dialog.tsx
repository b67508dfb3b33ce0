import { useState } from 'react'
import { readAddress } from '#contracts/address-rules'
import { readableAddress } from '#contracts/readable-address'
import { useDeleteAccountMutation } from '../../api/account-api.ts'
import { errorText } from '../../lib/http.ts'
import { forgetCustomer } from '../../lib/session-values.ts'
import { showToast } from '../../lib/toasts.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { TextField } from '../../ui/field.tsx'

interface DeleteAccountDialogProps {
  readonly email: string
  readonly onClose: () => void
}

/** States what a deletion does. The customer confirms it with the e-mail address. */
export function DeleteAccountDialog({ email, onClose }: DeleteAccountDialogProps) {
  const [typed, setTyped] = useState('')
  const entered = readAddress(typed.trim())
  const [deleteAccount, { isLoading, error }] = useDeleteAccountMutation()

  async function confirm() {
    const result = await deleteAccount({ email: typed })
    if (result.error) return
    forgetCustomer()
    showToast('blank', 'Your account is deleted.')
  }

  return (
    <ConfirmDialog
      title="Delete your account?"
      action="Delete account"
      busy={isLoading}
      disabled={!('address' in entered) || entered.address !== email}
      problem={
        error === undefined
          ? null
          : errorText(
              error,
              'Your account could not be deleted. Check your connection and try again.',
            )
      }
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <ol className="profile-deletion">
        <li>Your plan ends at once, and no further payment is charged.</li>
        <li>Your name, addresses, company and contact data are erased.</li>
        <li>You are signed out everywhere.</li>
        <li>The amounts of past payments stay in our books, without your name.</li>
      </ol>
      <p>
        <b>This cannot be undone.</b> Download your data first if you need it.
      </p>
      <TextField
        label={`Type ${readableAddress(email)} to confirm`}
        type="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}

        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </ConfirmDialog>
  )
}
