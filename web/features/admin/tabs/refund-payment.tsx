import type { AdminPayment } from '#contracts/admin/payments'
import { usePageDialog } from '../page-dialogs.tsx'
import { useMay } from '../use-may.ts'
import { lazyDialog } from './lazy-dialog.tsx'

const { Dialog: RefundDialog, usePrepared } = lazyDialog(
  async () => (await import('./refund-dialog.tsx')).RefundDialog,
)

/** Refund a payment. A dialog asks for the amount and the reason, and then for a confirmation. */
export function RefundButton({ payment }: { payment: AdminPayment }) {
  usePrepared()
  const showDialog = usePageDialog()
  if (!useMay('refund')) return null
  return (
    <button
      type="button"
      className="row-action row-action-risk"
      aria-label={`Refund payment ${payment.payment_id} of ${payment.customer_email}`}
      onClick={() => showDialog((close) => <RefundDialog payment={payment} onClose={close} />)}
    >
      Refund
    </button>
  )
}
