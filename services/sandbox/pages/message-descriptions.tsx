import type { Message } from '../messages/message.ts'
import { shownNumber } from '../messages/phone-number.ts'
import { momentOf } from './days.ts'

/** The head of an opened message: what a mail program shows above the text, and the files. */
export function MessageDescriptions({ message }: { readonly message: Message }) {
  return (
    <dl className="descriptions">
      <div>
        <dt>To</dt>
        <dd>{shownNumber(message.to)}</dd>
      </div>
      <div>
        <dt>From</dt>
        <dd>{shownNumber(message.from)}</dd>
      </div>
      <div>
        <dt>Sent</dt>
        <dd>
          <time dateTime={message.sentAt}>{momentOf(message)}</time>
        </dd>
      </div>
      {message.replyTo !== null && (
        <div>
          <dt>Reply to</dt>
          <dd>{message.replyTo}</dd>
        </div>
      )}
      {message.listUnsubscribe !== null && (
        <div>
          <dt>Unsubscribe</dt>
          <dd>{message.listUnsubscribe}</dd>
        </div>
      )}
      {message.returnPath !== null && (
        <div>
          <dt>Returns to</dt>
          <dd className="inbox-bounce">
            <span>{message.returnPath}</span>
            <form method="post" action={`/inbox/${message.id}/bounce`}>
              <button className="button button-line" type="submit">
                {message.bouncedAt === null ? 'Bounce this mail' : 'Bounce again'}
              </button>
            </form>
            {message.bouncedAt !== null && <span>It came back to the product.</span>}
          </dd>
        </div>
      )}
      {message.attachments.length > 0 && (
        <div>
          <dt>Attached</dt>
          <dd className="inbox-files">
            {message.attachments.map(({ fileName, bytes }, index) => (
              <a key={index} href={`/inbox/${message.id}/attachments/${index + 1}`}>
                {fileName} ({sizeText(bytes)})
              </a>
            ))}
          </dd>
        </div>
      )}
    </dl>
  )
}

/** `48 kB`; below 1,000 bytes `1 kB`. */
function sizeText(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / 1_000)).toLocaleString('en-US')} kB`
}
