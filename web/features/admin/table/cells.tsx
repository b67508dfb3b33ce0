import { useEffect, useState, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { Instant } from '#contracts/instant'
import { browser } from '../../../lib/browser.ts'
import { formatDay, formatExactTime, formatTime } from '../../../lib/dates.ts'
import { showToast } from '../../../lib/toasts.ts'
import { CheckIcon, CopyIcon } from '../icons.tsx'

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

/** A second line in a cell. */
export function Second({ children }: { children: ReactNode }) {
  return <small className="second">{children}</small>
}

/** Stands for a value that a record does not have. */
export function None({ children = 'None' }: { children?: string }) {
  return <span className="none">{children}</span>
}

export function MailLink({ address }: { address: string }) {
  return <a href={`mailto:${address}`}>{address}</a>
}

/** A link to a page of the console. */
export function PageLink({ to, name, children }: { to: string; name: string; children: string }) {
  return (
    <Link to={to} aria-label={name}>
      {children}
    </Link>
  )
}

/** How long `Copied` shows, in milliseconds. */
const copiedMs = 2_000

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
      <span className="mono" title={id}>
        {id}
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
