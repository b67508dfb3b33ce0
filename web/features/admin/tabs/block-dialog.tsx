import type { AdminUser } from '#contracts/admin/users'
import { useSetBlockedMutation } from '../../../api/admin-api.ts'
import { errorText } from '../../../lib/http.ts'
import { showToast } from '../../../lib/toasts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'

/** Says what a block does, and sends the wanted state. */
export function BlockDialog({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const [setBlocked, { isLoading, error }] = useSetBlockedMutation()
  const { blocked, email } = user

  async function confirm(): Promise<void> {
    const { data } = await setBlocked({ userId: user.user_id, blocked: !blocked })
    showToast(data ? 'success' : 'error', data?.message ?? 'Failed to update user status')
    if (data !== undefined) onClose()
  }

  return (
    <ConfirmDialog
      title={blocked ? `Unblock ${email}?` : `Block ${email}?`}
      action={blocked ? 'Unblock user' : 'Block user'}
      isRisky={!blocked}
      busy={isLoading}
      problem={error === undefined ? null : errorText(error, lostAnswer)}
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

/** The call has the wanted state, so a repeat changes nothing more. */
const lostAnswer = 'The answer was lost, so the change may have been made. Try again.'

const nameOf = ({ company_name, full_name, email }: AdminUser) => company_name ?? full_name ?? email
