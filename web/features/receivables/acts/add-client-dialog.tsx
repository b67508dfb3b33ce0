import { useNavigate } from 'react-router-dom'
import { addClientRequest } from '#contracts/receivables/client-requests'
import { useAddClientMutation } from '../../../api/receivables-api.ts'
import { showToast } from '../../../lib/toasts.ts'
import { clientPath } from '../shared/paths.ts'
import { ActDialog } from './act-dialog.tsx'
import { text, type ActForm } from './act-form.ts'
import { clientBody, clientFields } from './client-fields.ts'
import { useSending } from './use-sending.ts'

const form: ActForm = {
  title: 'Add client',
  intro: 'A company or person that owes you money.',
  fields: clientFields(null),
  button: () => 'Add client',
  says: (values) =>
    `${text(values, 'name') || 'The client'} is added without an invoice. Nothing is sent.`,
  body: clientBody,
  done: 'The client is added.',
}

/** Leads to the page of the new client. */
export function AddClientDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [call] = useAddClientMutation()
  const { busy, problem, send } = useSending<{ clientId: string }>()

  function onDone({ clientId }: { clientId: string }): void {
    showToast('success', form.done)
    onClose()
    void navigate(clientPath(clientId))
  }

  return (
    <ActDialog
      form={form}
      schema={addClientRequest}
      busy={busy}
      problem={problem}
      onSend={(body) => void send((key) => call({ key, body }), onDone)}
      onClose={onClose}
    />
  )
}
