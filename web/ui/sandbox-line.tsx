import type { SessionResponse } from '#contracts/auth'
import { formatLongDay } from '../lib/dates.ts'
import './sandbox-line.css'

/** With simulated services: the day that a clock ahead of real time shows. Otherwise nothing. */
export function SandboxClock({ session }: { session: SessionResponse | undefined }) {
  if (session?.sandbox?.isClockAhead !== true) return null
  return <p className="sandbox-line">{clockSentence(session)}</p>
}

/** As `SandboxClock`, with the link to the mails. */
export function SandboxLine({ session }: { session: SessionResponse | undefined }) {
  if (session?.sandbox === undefined) return null
  const { inboxUrl, isClockAhead } = session.sandbox
  if (inboxUrl === null && !isClockAhead) return null
  return (
    <p className="sandbox-line">
      {isClockAhead ? clockSentence(session) : 'Sandbox: no card is charged.'}
      {inboxUrl !== null && (
        <>
          {' '}
          Mails and texts are in the <InboxLink url={inboxUrl} />.
        </>
      )}
    </p>
  )
}

/** Where the code is, if no real mail server has it. */
export function SandboxCode({ inboxUrl }: { inboxUrl: string | null }) {
  if (inboxUrl === null) return null
  return (
    <p className="sandbox-line">
      Sandbox: the code is in the <InboxLink url={inboxUrl} />.
    </p>
  )
}

function InboxLink({ url }: { url: string }) {
  return (
    <a href={url} target="_blank" rel="noreferrer">
      inbox
    </a>
  )
}

function clockSentence({ now }: SessionResponse): string {
  return `Sandbox: its clock shows ${formatLongDay(now)}. Dates here follow it.`
}
