import { codeIn, phoneOf, type Message } from '../messages/message.ts'
import { shownNumber } from '../messages/phone-number.ts'
import { byDay, momentOf, timeOf } from './days.ts'
import { MessageDescriptions } from './message-descriptions.tsx'
import { renderPage } from './page.tsx'
import { BackLink, LogoMark } from './parts.tsx'
import { TextThread } from './text-thread.tsx'

interface InboxView {
  readonly messages: readonly Message[]
  readonly to: string | null
  /** The requested message; by default the newest, shown if the screen is wide enough. */
  readonly opened: Message | null
  /** If a text is opened: every text to its number, oldest first. */
  readonly thread: readonly Message[]
  readonly wasChosen: boolean
  readonly asText: boolean
  readonly productUrl: string
}

export function renderInbox(view: InboxView): string {
  return renderPage({
    title:
      view.wasChosen && view.opened ? `${titleOf(view.opened)} (sandbox inbox)` : 'Inbox (sandbox)',
    kind: 'inbox',
    script: '/assets/inbox.js',
    refreshSeconds: 10,
    children: (
      <>
        <header className="inbox-bar">
          <h1>
            <LogoMark />
            Inbox
          </h1>
          <form method="get" action="/inbox" role="search">
            <label className="sr-only" htmlFor="to">
              Address or number
            </label>
            <input
              className="input"
              id="to"
              name="to"
              type="search"
              placeholder="Filter by address or number"
              defaultValue={view.to ?? ''}
            />
            <button className="button button-line" type="submit">
              Filter
            </button>
          </form>
          <a className="inbox-other" href="/mail-gallery">
            All mails with sample data
          </a>
          <a className="inbox-other" href="/dashboard">
            Merchants at Stripe
          </a>
          <BackLink href={view.productUrl} />
        </header>
        <main className={view.wasChosen ? 'inbox inbox-reading' : 'inbox'}>
          <MessageList {...view} />
          <section
            className="inbox-mail"
            id="mail"
            data-chosen={view.wasChosen}
            aria-label="Opened message"
          >
            {view.opened && <Opened message={view.opened} {...view} />}
          </section>
        </main>
      </>
    ),
  })
}

function MessageList({ messages, to, opened }: InboxView) {
  return (
    <nav
      className="inbox-list"
      id="messages"
      data-newest={messages[0]?.id ?? ''}
      aria-label="Messages, newest first"
    >
      {messages.length === 0 ? (
        <p className="inbox-empty">
          {to === null
            ? 'No messages yet. Messages appear here when the product sends them.'
            : `Nothing was sent to ${shownNumber(to)}.`}{' '}
          {to !== null && <a href="/inbox">Show all messages</a>}
        </p>
      ) : (
        byDay(messages).map(({ day, messages: ofDay }) => (
          <section key={day} aria-label={day}>
            <p className="inbox-day">{day}</p>
            <ul>
              {ofDay.map((message) => (
                <li key={message.id}>
                  <a
                    href={inboxUrl({ to, id: message.id })}
                    aria-current={opened?.id === message.id ? 'true' : undefined}
                  >
                    <span className="inbox-to">{shownNumber(phoneOf(message))}</span>
                    <time dateTime={message.sentAt} title={momentOf(message)}>
                      {timeOf(message)}
                    </time>
                    <span className="inbox-subject">
                      {message.subject ?? (message.isInbound ? 'Answer to a text' : 'Text message')}
                    </span>
                    <Gist message={message} />
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))
      )}
    </nav>
  )
}

/** The sign-in code of a message that has one, else the beginning of the message. */
function Gist({ message }: { readonly message: Message }) {
  const code = codeIn(message)
  if (code !== null) return <b className="inbox-code">{code}</b>
  return (
    <span className="inbox-gist">{(message.text ?? '').replaceAll(/\s+/g, ' ').slice(0, 120)}</span>
  )
}

function Opened({ message, to, asText, thread }: InboxView & { readonly message: Message }) {
  const code = codeIn(message)
  const showsHtml = message.html !== null && !asText
  return (
    <article>
      <div className="inbox-return">
        <BackLink href={inboxUrl({ to, id: null })} text="All messages" />
      </div>
      <header>
        <h2>{titleOf(message)}</h2>
        {message.html !== null && message.text !== null && (
          <p className="inbox-forms">
            <a
              href={inboxUrl({ to, id: message.id })}
              aria-current={showsHtml ? 'true' : undefined}
            >
              Mail
            </a>
            <a
              href={`${inboxUrl({ to, id: message.id })}&as=text`}
              aria-current={showsHtml ? undefined : 'true'}
            >
              Plain text
            </a>
          </p>
        )}
      </header>
      <MessageDescriptions message={message} />
      {code !== null && (
        <p className="inbox-readout">
          <span className="label">Code</span>
          <b>{code}</b>
        </p>
      )}
      {showsHtml ? (
        // The page's policy refuses the mail's own styles, so the mail is a separate document,
        // without scripts.
        <iframe
          className="inbox-html"
          title={message.subject ?? 'Mail'}
          src={`/inbox/${message.id}/html`}
          sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
          height="640"
        />
      ) : message.channel === 'sms' ? (
        <>
          <TextThread texts={thread} opened={message} />
          <AnswerBox message={message} />
        </>
      ) : (
        <pre className="inbox-text">{message.text ?? ''}</pre>
      )}
    </article>
  )
}

/** Sends a text from the phone to the product, as Twilio would. */
function AnswerBox({ message }: { readonly message: Message }) {
  const phone = phoneOf(message)
  return (
    <form className="answer" method="post" action="/inbox/texts">
      <input type="hidden" name="from" value={phone} />
      <input type="hidden" name="to" value={message.isInbound ? message.to : message.from} />
      <label htmlFor="answer">Answer from {shownNumber(phone)}</label>
      <div>
        <input
          className="input"
          id="answer"
          name="body"
          required
          maxLength={1_600}
          autoComplete="off"
          placeholder="STOP, START, HELP or any text"
        />
        <button className="button button-line" type="submit">
          Send
        </button>
      </div>
    </form>
  )
}

function titleOf(message: Message): string {
  return message.subject ?? `Texts to ${shownNumber(phoneOf(message))}`
}

function inboxUrl({ to, id }: { readonly to: string | null; readonly id: string | null }): string {
  const query = new URLSearchParams({
    ...(to === null ? {} : { to }),
    ...(id === null ? {} : { message: id }),
  }).toString()
  return query === '' ? '/inbox' : `/inbox?${query}`
}
