import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { NextMessages } from '#contracts/receivables/messages'
import { useGetNextMessagesQuery } from '../../../api/client-messages-api.ts'
import { formatCount } from '../../../lib/money.ts'
import { Mark } from '../../../ui/mark.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { messageName, plannedMark, reasonsOf, sumsOf } from '../messages/message-words.ts'
import { money, sumsText } from '../shared/amounts.ts'
import { clockTime, countOf, fullDay, longDay } from '../shared/days.ts'
import { DayLine } from '../shared/day-line.tsx'
import { LoadFailure } from '../shared/load-failure.tsx'
import { LoadingRows } from '../shared/loading.tsx'
import { clientPath, invoicePath } from '../shared/paths.ts'
import './goes-out-next.css'

type Message = NextMessages['messages'][number]
type NotSent = NextMessages['notSent'][number]

/** Rows that are named: of the chosen day, and of what is not sent. */
const [maxMessages, maxSteps] = [12, 8]

/** The next two weeks of all clients: a line of days, the messages of one, and what is not sent. */
export function GoesOutNext({ timeZone }: { readonly timeZone: string }) {
  const { data, isError, error, isFetching, refetch } = useGetNextMessagesQuery()
  return (
    <Panel
      title="What goes out next"
      padded={false}
      actions={
        data !== undefined && (
          <>
            <span className="next-count">{countsOf(data)}</span>
            {data.days.length > 0 && <Legend />}
          </>
        )
      }
    >
      {data === undefined && isError && (
        <LoadFailure
          what="the next messages"
          error={error}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {data === undefined && !isError && <LoadingRows what="the next messages" />}
      {data !== undefined && <Loaded next={data} timeZone={timeZone} />}
    </Panel>
  )
}

function Legend() {
  return (
    <span className="next-legend">
      <span>
        <Mark kind="email" /> E-mail sent
      </span>
      <span>
        <Mark kind="email-planned" /> E-mail planned
      </span>
      <span>
        <Mark kind="text-planned" /> Text planned
      </span>
      <span>
        <Mark kind="skipped" /> Not sent
      </span>
    </span>
  )
}

function Loaded({ next, timeZone }: { readonly next: NextMessages; readonly timeZone: string }) {
  const { days, messages, notSent, sentToday, stillness } = next
  const [chosen, setChosen] = useState<string | null>(null)
  const first = days.find(({ mails, texts }) => mails + texts > 0)?.day
  const day = days.find((each) => each.day === (chosen ?? first))
  const last = days.at(-1)?.day
  if (last === undefined || day === undefined)
    return (
      <>
        {days.length > 0 && (
          <DayLine days={days} sentToday={sentToday} chosen={null} onChoose={setChosen} />
        )}
        <p className="next-none">
          {stillness ??
            `No message is due by ${last === undefined ? 'then' : fullDay(last)}. An invoice that is open brings messages.`}
        </p>
        {last !== undefined && <NotSentRows notSent={notSent} days={days} last={last} />}
      </>
    )
  return (
    <>
      <DayLine days={days} sentToday={sentToday} chosen={day.day} onChoose={setChosen} />
      <DayRows day={day} messages={messages} timeZone={timeZone} />
      <NotSentRows notSent={notSent} days={days} last={last} />
    </>
  )
}

function DayRows({
  day,
  messages,
  timeZone,
}: {
  readonly day: NextMessages['days'][number]
  readonly messages: readonly Message[]
  readonly timeZone: string
}) {
  const shown = messages.filter((message) => message.day === day.day).slice(0, maxMessages)
  const count = day.mails + day.texts
  return (
    <section className="next-day" aria-live="polite">
      <h3>
        {longDay(day.day)}
        <small>
          {countOf(count, 'message')}
          {!day.isSendingDay && '. No sending day'}
        </small>
      </h3>
      <ul>
        {shown.map((message) => (
          <Row key={`${message.clientId} ${message.at}`} message={message} zone={timeZone} />
        ))}
      </ul>
      {count > shown.length && (
        <p className="next-more">
          And {countOf(count - shown.length, 'more message', 'more messages')}.
        </p>
      )}
    </section>
  )
}

function Row({ message, zone }: { readonly message: Message; readonly zone: string }) {
  const { at, channel, clientId, clientName, invoices } = message
  const numbers = [...new Set(invoices.map(({ number }) => number))]
  return (
    <li>
      <time dateTime={at}>{clockTime(at, zone)}</time>
      <Mark kind={plannedMark(channel)} />
      <div className="next-who">
        <Link className="rcv-name" to={clientPath(clientId)} dir="auto">
          {clientName}
        </Link>
        <small>
          {messageName(message)},{' '}
          {numbers.length <= 2 ? numbers.join(' and ') : countOf(numbers.length, 'invoice')}
        </small>
      </div>
      <p dir="auto">{reasonsOf({ channel, steps: invoices }, null)}</p>
      <b>{sumsText(sumsOf(invoices), ({ open }) => open)}</b>
    </li>
  )
}

/** What ends without a message in these days, each with its reason. */
function NotSentRows({
  notSent,
  days,
  last,
}: {
  readonly notSent: readonly NotSent[]
  readonly days: NextMessages['days']
  readonly last: string
}) {
  const count = days.reduce((sum, { skipped }) => sum + skipped, 0)
  const shown = notSent.slice(0, maxSteps)
  if (count === 0) return null
  return (
    <section className="next-day">
      <h3>
        Not sent by {fullDay(last)}
        <small>{countOf(count, 'step')}, each with its reason</small>
      </h3>
      <ul>
        {shown.map((step, place) => (
          <li key={`${step.receivableId} ${step.day} ${place}`}>
            <time dateTime={step.day}>{fullDay(step.day)}</time>
            <Mark kind="skipped" />
            <div className="next-who">
              <Link className="rcv-name" to={clientPath(step.clientId)} dir="auto">
                {step.clientName}
              </Link>
              <small>
                {messageName(step)}, <Link to={invoicePath(step.receivableId)}>{step.number}</Link>
              </small>
            </div>
            <p dir="auto">{step.reason}</p>
            <b>{money(step.open, step.currency)}</b>
          </li>
        ))}
      </ul>
      {count > shown.length && (
        <p className="next-more">And {countOf(count - shown.length, 'more step', 'more steps')}.</p>
      )}
    </section>
  )
}

/** `3 sent today. 29 more until Dec 8, 2026 if nothing is paid` */
function countsOf({ sentToday, days }: NextMessages): string {
  const sent = `${formatCount(sentToday.mails + sentToday.texts)} sent today`
  const last = days.at(-1)
  if (last === undefined) return sent
  const more = days.reduce((sum, { mails, texts }) => sum + mails + texts, 0)
  return `${sent}. ${formatCount(more)} more until ${fullDay(last.day)} if nothing is paid`
}
