import { Link } from 'react-router-dom'
import type { NextMessages } from '#contracts/receivables/messages'
import { useGetNextMessagesQuery } from '../../../api/client-messages-api.ts'
import { Mark } from '../../../ui/mark.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { messageName, plannedMark, reasonsOf, sumsOf } from '../messages/message-words.ts'
import { sumsText } from '../shared/amounts.ts'
import { clockTime, countOf, longDay } from '../shared/days.ts'
import { LoadFailure } from '../shared/load-failure.tsx'
import { LoadingRows } from '../shared/loading.tsx'
import { clientPath } from '../shared/paths.ts'
import './goes-out-next.css'

type Message = NextMessages['messages'][number]

/** The next messages of all clients, by day, each with its reason. */
export function GoesOutNext({ timeZone }: { readonly timeZone: string }) {
  const { data, isError, error, isFetching, refetch } = useGetNextMessagesQuery()
  return (
    <Panel
      title="What goes out next"
      padded={false}
      actions={
        data !== undefined && (
          <span className="next-count">{countOf(data.sentToday, 'message')} sent today</span>
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
      {data !== undefined && data.messages.length === 0 && (
        <p className="next-none">
          {data.stillness ?? 'No step of the schedule is due for anyone.'}
        </p>
      )}
      {data !== undefined &&
        byDay(data.messages).map(([day, messages]) => (
          <section key={day} className="next-day">
            <h3>
              {longDay(day)}
              <small>{countOf(messages.length, 'message')}</small>
            </h3>
            <ul>
              {messages.map((message) => (
                <Row key={`${message.clientId} ${message.at}`} message={message} zone={timeZone} />
              ))}
            </ul>
          </section>
        ))}
    </Panel>
  )
}

function Row({ message, zone }: { readonly message: Message; readonly zone: string }) {
  const { at, channel, clientId, clientName, steps } = message
  const numbers = [...new Set(steps.map(({ number }) => number))]
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
      <p dir="auto">{reasonsOf(message, null)}</p>
      <b>{sumsText(sumsOf(steps), ({ open }) => open)}</b>
    </li>
  )
}

function byDay(messages: readonly Message[]): readonly (readonly [string, readonly Message[]])[] {
  const days = new Map<string, Message[]>()
  for (const message of messages) days.set(message.day, [...(days.get(message.day) ?? []), message])
  return [...days]
}
