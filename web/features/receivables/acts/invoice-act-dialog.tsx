import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { invoiceAct } from '#contracts/receivables/invoice-requests'
import { useActOnInvoiceMutation } from '../../../api/receivables-api.ts'
import { showToast } from '../../../lib/toasts.ts'
import { ActDialog } from './act-dialog.tsx'
import { invoiceForm, type ChosenAct } from './invoice-forms.ts'
import { useSeen } from './use-seen.ts'
import { useSending } from './use-sending.ts'

interface InvoiceActDialogProps {
  readonly act: ChosenAct
  /** The latest answer of the server. */
  readonly invoice: InvoiceResponse
  readonly onClose: () => void
}

export function InvoiceActDialog({ act, invoice, onClose }: InvoiceActDialogProps) {
  const [call] = useActOnInvoiceMutation()
  const { busy, problem, refusals, send } = useSending<object>()
  const form = invoiceForm(act, useSeen(invoice, refusals))

  function onDone(): void {
    showToast('success', form.done)
    onClose()
  }

  return (
    <ActDialog
      form={form}
      schema={invoiceAct}
      busy={busy}
      problem={problem}
      onSend={(body) => void send((key) => call({ id: invoice.receivableId, key, body }), onDone)}
      onClose={onClose}
    />
  )
}
