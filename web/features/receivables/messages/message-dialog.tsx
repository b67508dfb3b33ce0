import { useId } from 'react'
import type { MessageResponse } from '#contracts/receivables/messages'
import { useGetMessageQuery } from '../../../api/client-messages-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { clockTime, instantDay } from '../shared/days.ts'
import { LoadFailure } from '../shared/load-failure.tsx'
import { LoadingRows } from '../shared/loading.tsx'
import { TextPreview } from '../preview/text-preview.tsx'
import { channelName, messageName } from './message-words.ts'
import '../acts/act-dialog.css'
import './message-dialog.css'

interface MessageDialogProps {
  readonly clientId: string
  readonly messageId: string
  readonly timeZone: string
  readonly onClose: () => void
}

/** A message as the client got it, read from the log. */
export function MessageDialog({ clientId, messageId, timeZone, onClose }: MessageDialogProps) {
  const titleId = useId()
  const { data, isError, error, isFetching, refetch } = useGetMessageQuery({ clientId, messageId })
  return (
    <Dialog labelledBy={titleId} width="confirm" onClose={onClose}>
      <div className="message-dialog">
        <h2 id={titleId}>{data === undefined ? 'Message' : messageName(data)}</h2>
        {data !== undefined && <Words message={data} timeZone={timeZone} />}
        {data === undefined && isError && (
          <LoadFailure
            what="the message"
            error={error}
            retrying={isFetching}
            onRetry={() => void refetch()}
          />
        )}
        {data === undefined && !isError && <LoadingRows what="the message" />}
        <div className="act-buttons">
          <Button look="line" size="md" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function Words({
  message,
  timeZone,
}: {
  readonly message: MessageResponse
  readonly timeZone: string
}) {
  const { channel, to, at, subject, body, state } = message
  return (
    <>
      <p className="message-meta">
        {to === null ? 'The address is erased' : `To ${to}`}, {instantDay(at, timeZone)},{' '}
        {clockTime(at, timeZone)}
        {state === 'returned' && '. It came back later'}.
      </p>
      <MessageWords channel={channel} subject={subject} body={body} />
    </>
  )
}

/** The words of an e-mail without its layout, or a text. */
export function MessageWords({
  channel,
  subject,
  body,
}: Pick<MessageResponse, 'channel' | 'subject' | 'body'>) {
  if (body === null) return <p>The words of this {channelName(channel)} are erased.</p>
  if (channel !== 'mail') return <TextPreview body={body} />
  return (
    <article className="message-mail" aria-label="E-mail">
      {subject !== null && <h3 dir="auto">{subject}</h3>}
      <p dir="auto">{body}</p>
    </article>
  )
}
