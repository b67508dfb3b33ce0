import type { Message } from '../messages/message.ts'
import { byDay, momentOf, timeOf } from './days.ts'

/** The texts of one phone, as it shows them: oldest first, by day. `opened` is the chosen one. */
export function TextThread({
  texts,
  opened,
}: {
  readonly texts: readonly Message[]
  readonly opened: Message
}) {
  return (
    <div className="thread">
      {byDay(texts).map(({ day, messages }) => (
        <section key={day} aria-label={day}>
          <p className="thread-day">{day}</p>
          <ol>
            {messages.map((message) => (
              <li
                key={message.id}
                className={message.isInbound ? 'thread-own' : undefined}
                aria-current={message.id === opened.id ? 'true' : undefined}
              >
                <Bubble text={message.text ?? ''} />
                <time dateTime={message.sentAt} title={momentOf(message)}>
                  {timeOf(message)}
                </time>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}

/** A text with its links, as phones show them. */
export function Bubble({ text }: { readonly text: string }) {
  return (
    <p className="bubble">
      {text.split(/(https?:\/\/\S+)/).map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <a key={index} href={part} target="_blank" rel="noreferrer">
            {part}
          </a>
        ),
      )}
    </p>
  )
}
