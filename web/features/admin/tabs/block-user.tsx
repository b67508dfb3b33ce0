import type { AdminUser } from '#contracts/admin/users'
import { Button } from '../../../ui/button.tsx'
import { usePageDialog } from '../page-dialogs.tsx'
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
  usePrepared()
  const showDialog = usePageDialog()
  if (!useMay('block')) return null
  const verb = user.blocked ? 'Unblock' : 'Block'
  // After a change by another administrator the dialog must not silently become its opposite.
  const ask = () => showDialog((close) => <BlockDialog user={user} onClose={close} />)
  return look === 'word' ? (
    <button
      type="button"
      className={`row-action ${user.blocked ? '' : 'row-action-risk'}`}
      aria-label={`${verb} ${user.email}`}
      onClick={ask}
    >
      {verb}
    </button>
  ) : (
    <Button look={user.blocked ? 'line' : 'risk'} size="sm" onClick={ask}>
      {verb} user
    </Button>
  )
}
