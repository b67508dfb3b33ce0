import { useState } from 'react'
import type { AdminUser } from '#contracts/admin/users'
import { useSetBlockedMutation } from '../../../api/admin-api.ts'
import { showToast } from '../../../lib/toasts.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'

interface BlockButtonProps {
  readonly user: AdminUser
  /** `word` for a column of the table. */
  readonly look: 'word' | 'button'
}

/** Blocks or unblocks a user after a confirmation. */
export function BlockButton({ user, look }: BlockButtonProps) {
  // The dialog keeps the user as it was when the dialog opened: after a change by another
  // administrator it must not silently become its opposite.
  const [asked, setAsked] = useState<AdminUser | null>(null)
  const verb = user.blocked ? 'Unblock' : 'Block'
  return (
    <>
      {look === 'word' ? (
        <button
          type="button"
          className={`row-action ${user.blocked ? '' : 'row-action-risk'}`}
          aria-label={`${verb} ${user.email}`}
          onClick={() => setAsked(user)}
        >
          {verb}
        </button>
      ) : (
        <Button look={user.blocked ? 'line' : 'risk'} size="sm" onClick={() => setAsked(user)}>
          {verb} user
        </Button>
      )}
      {asked !== null && <BlockDialog user={asked} onClose={() => setAsked(null)} />}
    </>
  )
}

function BlockDialog({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const [setBlocked, { isLoading }] = useSetBlockedMutation()
  const { blocked, email } = user

  async function confirm(): Promise<void> {
    const { data } = await setBlocked({ userId: user.user_id, blocked: !blocked })
    onClose()
    if (data === undefined) showToast('error', 'Failed to update user status')
    else showToast('success', data.message)
  }

  return (
    <ConfirmDialog
      title={blocked ? `Unblock ${email}?` : `Block ${email}?`}
      action={blocked ? 'Unblock user' : 'Block user'}
      isRisky={!blocked}
      busy={isLoading}
      problem={null}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {blocked ? (
        <p>
          <b>{nameOf(user)}</b> can make new purchases. Plans that the block expired stay expired.
        </p>
      ) : (
        <>
          <p>
            Blocking expires all active plans of <b>{nameOf(user)}</b>, {user.active_plans} now.
          </p>
          <p>
            <b>This cannot be undone.</b> Unblocking later allows new purchases only.
          </p>
        </>
      )}
    </ConfirmDialog>
  )
}

const nameOf = ({ company_name, full_name, email }: AdminUser) => company_name ?? full_name ?? email
