import { useId } from 'react'
import type { SendNowPreview } from '#contracts/receivables/messages'
import { usePreviewSendNowQuery, useSendNowMutation } from '../../../api/client-messages-api.ts'
import { showToast } from '../../../lib/toasts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorBox } from '../../../ui/error-box.tsx'
import { useSending } from '../acts/use-sending.ts'
import { countOf } from '../shared/days.ts'
import { LoadFailure } from '../shared/load-failure.tsx'
import { LoadingRows } from '../shared/loading.tsx'
import '../acts/act-dialog.css'
import { MessageWords } from './message-dialog.tsx'
import { channelName, messageName } from './message-words.ts'

interface SendNowDialogProps {
  readonly clientId: string
  readonly onClose: () => void
}

/** Shows what goes out now, and sends it after a confirmation. */
export function SendNowDialog({ clientId, onClose }: SendNowDialogProps) {
  const titleId = useId()
  const preview = usePreviewSendNowQuery({ clientId }, { refetchOnMountOrArgChange: true })
  const { data } = preview
  return (
    <Dialog labelledBy={titleId} width="confirm" onClose={onClose}>
      <div className="message-dialog">
        <h2 id={titleId}>Send now</h2>
        {data === undefined && preview.isError && (
          <LoadFailure
            what="the message"
            error={preview.error}
            retrying={preview.isFetching}
            onRetry={() => void preview.refetch()}
          />
        )}
        {data === undefined && !preview.isError && <LoadingRows what="the message" />}
        {data !== undefined && data.message === null && (
          <>
            <p role="status">{data.refused ?? 'Nothing can go out now.'}</p>
            <div className="act-buttons">
              <Button look="line" size="md" onClick={onClose}>
                Close
              </Button>
            </div>
          </>
        )}
        {data !== undefined && data.message !== null && (
          <Confirmation
            clientId={clientId}
            message={data.message}
            onChanged={() => void preview.refetch()}
            onClose={onClose}
          />
        )}
      </div>
    </Dialog>
  )
}

function Confirmation({
  clientId,
  message,
  onChanged,
  onClose,
}: {
  readonly clientId: string
  readonly message: NonNullable<SendNowPreview['message']>
  /** After a refusal: the message became another one. */
  readonly onChanged: () => void
  readonly onClose: () => void
}) {
  const [sendNow] = useSendNowMutation()
  const { busy, problem, send } = useSending<object>()
  const { channel, to, subject, body, invoices, key: seen } = message
  const name = channelName(channel)

  async function confirm(): Promise<void> {
    await send(
      async (key) => {
        const result = await sendNow({ clientId, key, seen })
        if (result.error !== undefined) onChanged()
        return result
      },
      () => {
        showToast('success', `The ${name} is on its way.`)
        onClose()
      },
    )
  }

  return (
    <>
      <p className="message-meta">
        {messageName(message)} to {to}, about{' '}
        {invoices.length <= 3
          ? invoices.map(({ number }) => number).join(', ')
          : countOf(invoices.length, 'invoice')}
        .
      </p>
      <ErrorBox text={problem} />
      <MessageWords channel={channel} subject={subject} body={body} />
      <p className="act-says">
        It counts in the limits of messages, and ends the steps of the schedule that it is about.
      </p>
      <div className="act-buttons">
        <Button size="md" busy={busy} onClick={() => void confirm()}>
          Send the {name}
        </Button>
        <Button look="line" size="md" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </>
  )
}
