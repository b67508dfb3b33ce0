import { useState } from 'react'
import type { AdminUser } from '#contracts/admin/users'
import { Button } from '../../../ui/button.tsx'
import { useMay } from '../use-may.ts'
import { lazyDialog } from './lazy-dialog.tsx'

const { Dialog: BlockDialog, usePrepared } = lazyDialog(
  async () => (await import('./block-dialog.tsx')).BlockDialog,
)

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
  usePrepared()
  const mayBlock = useMay('block')
  // An open dialog stays: its refusal says that the role has changed.
  if (!mayBlock && asked === null) return null
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
