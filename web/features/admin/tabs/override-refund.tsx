import type { AdminRefund } from '#contracts/admin/refunds'
import { refundOverrides, type RefundOverride } from '#contracts/refund-status'
import { usePageDialog } from '../page-dialogs.tsx'
import { useMay } from '../use-may.ts'
import { lazyDialog } from './lazy-dialog.tsx'

const { Dialog: OverrideDialog, usePrepared } = lazyDialog(
  async () => (await import('./override-dialog.tsx')).OverrideDialog,
)

const labels: Readonly<Record<RefundOverride, string>> = { pending: 'Pending', failed: 'Failed' }

/** Set the status that screens show for a refund. A dialog asks for the reason. */
export function OverrideButtons({ refund }: { refund: AdminRefund }) {
  usePrepared()
  const showDialog = usePageDialog()
  if (!useMay('refund-status')) return null
  return (
    <span className="row-actions">
      {refundOverrides.map((status) => (
        <button
          key={status}
          type="button"
          className={`row-action ${status === 'failed' ? 'row-action-risk' : ''}`}
          aria-label={`${labels[status]}: refund ${refund.refund_id} of ${refund.user_email}`}
          onClick={() =>
            showDialog((close) => (
              <OverrideDialog refund={refund} status={status} onClose={close} />
            ))
          }
        >
          {labels[status]}
        </button>
      ))}
    </span>
  )
}
