import { useState, type FormEvent } from 'react'
import type { AdminUser } from '#contracts/admin/users'
import { useUpdateUserEmailMutation } from '../../api/admin-api.ts'
import { errorText } from '../../lib/http.ts'
import { showToast } from '../../lib/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'

/** Sets a second address that the user can sign in with. */
export function SecondaryEmailForm({ user }: { user: AdminUser }) {
  const [email, setEmail] = useState('')
  const [update, { isLoading }] = useUpdateUserEmailMutation()
  const isSet = user.secondary_email !== null

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const { data, error } = await update({ userId: user.user_id, email, type: 'secondary' })
    if (data === undefined)
      return void showToast('error', errorText(error, 'Failed to update email'))
    showToast('success', data.message)
    setEmail('')
  }

  return (
    <form className="secondary-email" onSubmit={(event) => void submit(event)}>
      <TextField
        label={isSet ? 'New secondary email' : 'Secondary email'}
        type="email"
        autoComplete="off"
        maxLength={254}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Button type="submit" look="line" busy={isLoading} disabled={email.trim() === ''}>
        {isSet ? 'Update Secondary Email' : 'Add Secondary Email'}
      </Button>
    </form>
  )
}
