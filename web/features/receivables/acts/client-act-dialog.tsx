import type { ClientResponse } from '#contracts/receivables/clients'
import { clientAct } from '#contracts/receivables/client-requests'
import { useActOnClientMutation } from '../../../api/receivables-api.ts'
import { showToast } from '../../../lib/toasts.ts'
import { ActDialog } from './act-dialog.tsx'
import { clientForm, type ChosenClientAct } from './client-forms.ts'
import { SeenNotice } from './seen-notice.tsx'
import { useSeen } from './use-seen.ts'
import { useSending } from './use-sending.ts'

interface ClientActDialogProps {
  readonly act: ChosenClientAct
  /** The latest answer of the server. */
  readonly page: ClientResponse
  readonly onClose: () => void
}

export function ClientActDialog({ act, page, onClose }: ClientActDialogProps) {
  const [call] = useActOnClientMutation()
  const { busy, problem, refusals, isLost, send } = useSending<object>()
  const { seen, ...change } = useSeen(page, basisOf, refusals)
  const form = clientForm(act, seen)

  function onDone(): void {
    showToast('success', form.done)
    onClose()
  }

  return (
    <ActDialog
      form={form}
      schema={clientAct}
      busy={busy}
      problem={problem}
      onSend={(body) => void send((key) => call({ id: page.client.clientId, key, body }), onDone)}
      onClose={onClose}
    >
      <SeenNotice what={page.client.name} change={change} isLost={isLost} />
    </ActDialog>
  )
}

/** What an act depends on. Acts on the client's invoices are no part of it. */
const basisOf = ({
  version,
  client,
  textConsent,
  hold,
  credits,
  invoices,
  portal,
}: ClientResponse) =>
  JSON.stringify([version, client, textConsent, hold, credits, invoices, portal?.generation])
