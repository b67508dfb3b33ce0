import { useEffect, useState, type ReactNode } from 'react'
import type { Instant } from '#contracts/instant'
import { readableAddress } from '#contracts/readable-address'
import { browser } from '../../../lib/browser.ts'
import { formatDay, formatExactTime, formatTime } from '../../../lib/dates.ts'
import { mailto } from '../../../lib/mailto.ts'
import { showToast } from '../../../lib/toasts.ts'
import { Chip } from '../../../ui/chip.tsx'
import { CheckIcon, CopyIcon } from '../../../ui/table-icons.tsx'

/** A day. The exact time is its title. */
export function Day({ at }: { at: Instant }) {
  return (
    <time dateTime={at} title={formatExactTime(at)}>
      {formatDay(at)}
    </time>
  )
}

/** A day, and the time of the day below it. */
export function DayAndTime({ at }: { at: Instant }) {
  return (
    <time dateTime={at} title={formatExactTime(at)}>
      {formatDay(at)} <Second>{formatTime(at)}</Second>
    </time>
  )
}

/** A second line in a cell. Its parts, such as a phone number and a place, are side by side. */
export function Second({ children }: { children: ReactNode }) {
  return <small className="second">{children}</small>
}

/** Stands for a value that a record does not have. */
export function None({ children = 'None' }: { children?: string }) {
  return <span className="none">{children}</span>
}

/** Breaks a long address after its `@`. */
export function MailLink({ address }: { address: string }) {
  const readable = readableAddress(address)
  const at = readable.indexOf('@') + 1
  return (
    <a href={mailto(address)}>
      {readable.slice(0, at)}
      <wbr />
      {readable.slice(at)}
    </a>
  )
}

interface CustomerProps {
  readonly name: string | null
  readonly email: string
  readonly isBlocked: boolean
}

/** A customer's name and address. Phones show the address alone in the row. */
export function Customer({ name, email, isBlocked }: CustomerProps) {
  return (
    <span className="customer">
      {name !== null && <b>{name}</b>}
      <MailLink address={email} />
      {isBlocked && <Chip tone="failed">Blocked</Chip>}
    </span>
  )
}

/** How long `Copied` shows, in milliseconds. */
const copiedMs = 2_000

/**
 * The begin and the end, which differ. Without a long prefix such as `subscription_`: the column
 * names it.
 */
function shortId(id: string): string {
  const short = id.replace(/^[a-z]{5,}_/, '')
  return short.length > 12 ? `${short.slice(0, 6)}…${short.slice(-4)}` : short
}

/** An id with a button that copies it. `what` names the id: `user id`. */
export function CopyId({ id, what }: { id: string; what: string }) {
  const [isCopied, setCopied] = useState(false)

  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), copiedMs)
    return () => clearTimeout(timer)
  }, [isCopied])

  async function copy(): Promise<void> {
    if (await browser.copyText(id)) setCopied(true)
    else showToast('error', 'The browser did not copy the text. Select and copy it.')
  }

  return (
    <span className="copy-id">
      <span className="mono id-full">{id}</span>
      <span className="mono id-short" title={id} aria-hidden="true">
        {shortId(id)}
      </span>
      <button
        type="button"
        aria-label={`Copy ${what} ${id}`}
        title={isCopied ? 'Copied' : 'Copy'}
        onClick={() => void copy()}
      >
        {isCopied ? <CheckIcon /> : <CopyIcon />}
      </button>
      <span className="sr-only" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </span>
  )
}
