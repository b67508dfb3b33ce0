import type { SenderNameResponse } from '#contracts/receivables/brand'
import type { AdminUser } from '#contracts/admin/users'
import { useApproveSenderNameMutation, useGetSenderNameQuery } from '../../../api/admin-api.ts'
import { errorText } from '../../../lib/http.ts'
import { ofNewerRelease } from '../../../lib/of-newer-release.ts'
import { showToast } from '../../../lib/toasts.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Description } from '../../../ui/descriptions.tsx'
import { usePageDialog } from '../page-dialogs.tsx'
import { useMay } from '../use-may.ts'

/** Under which name a merchant writes to its clients, and the approval of another one. */
export function SenderName({ user }: { user: AdminUser }) {
  const { currentData, isError, isFetching, refetch } = useGetSenderNameQuery({
    userId: user.user_id,
  })
  const showDialog = usePageDialog()
  const mayApprove = useMay('sending')
  const name = currentData?.senderName ?? null
  return (
    <Description term="Sender name">
      {isError && (
        <Button look="link" busy={isFetching} onClick={() => void refetch()}>
          Load the sender name again
        </Button>
      )}
      {currentData !== undefined && nameInWords(currentData)}
      {currentData?.state === 'waits' && name !== null && mayApprove && (
        <Button
          look="line"
          size="sm"
          className="user-approve"
          onClick={() =>
            showDialog((close) => <ApproveDialog user={user} name={name} onClose={close} />)
          }
        >
          Approve
        </Button>
      )}
    </Description>
  )
}

function nameInWords({ companyName, senderName, state }: SenderNameResponse): string {
  switch (state) {
    case 'company':
      return companyName ?? 'None'
    case 'approved':
      return `${senderName}, approved`
    case 'waits':
      return `${senderName}, waits for approval. Clients see ${companyName ?? 'no name'}.`
    default:
      ofNewerRelease(state)
      return senderName ?? companyName ?? 'None'
  }
}

function ApproveDialog({
  user,
  name,
  onClose,
}: {
  readonly user: AdminUser
  readonly name: string
  readonly onClose: () => void
}) {
  const [approve, { isLoading, error }] = useApproveSenderNameMutation()

  async function confirm(): Promise<void> {
    const { data } = await approve({ userId: user.user_id, name })
    if (data === undefined) return
    showToast('success', 'The sender name is approved.')
    onClose()
  }

  return (
    <ConfirmDialog
      title="Approve the sender name"
      action="Approve"
      isRisky={false}
      busy={isLoading}
      problem={
        error === undefined
          ? null
          : errorText(error, 'The server did not answer, so the name may be approved. Try again.')
      }
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      The clients of {user.email} see <b>{name}</b> as the sender from the next message on. Approve
      it only if it is a name of this company.
    </ConfirmDialog>
  )
}
