import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { Link } from 'react-router-dom'
import { browser } from '../lib/browser.ts'
import { callApi } from '../lib/http.ts'
import { forgetCustomer } from '../lib/session-values.ts'
import { useStored } from '../lib/stored-values.ts'
import { showToast } from '../lib/toasts.ts'
import './account-menu.css'

/** One of six colours; an address always has the same colour. */
function avatarClass(email: string): string {
  const sum = [...email].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0)
  return `avatar avatar-${(sum % 6) + 1}`
}

/**
 * The server ends the session. If the server does not do so, the stored values are deleted all the
 * same, and a toast says what remains: the page's script cannot delete the session's cookie.
 */
async function logOut(): Promise<void> {
  const { error } = await callApi({ url: '/api/auth/logout', method: 'POST' })
  forgetCustomer()
  if (error === undefined) return browser.reload()
  showToast(
    'error',
    'You are logged out in this browser, but the server could not end your session. Log in and log out again later.',
  )
}

/** The menu of a signed-in customer. Renders nothing for a visitor. */
export function AccountMenu() {
  const email = useStored('userEmail')
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (!open) return
    root.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
    const closeOutside = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [open])

  function close() {
    setOpen(false)
    button.current?.focus()
  }

  if (email === null) return null

  return (
    <div className="account" ref={root}>
      <button
        ref={button}
        type="button"
        className={avatarClass(email)}
        aria-label={`Account menu of ${email}`}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {email.charAt(0).toUpperCase()}
      </button>
      {open && (
        <div className="account-menu">
          <p>{email}</p>
          <div
            role="menu"
            tabIndex={-1}
            aria-label="Account"
            onKeyDown={(event) => moveOrClose(event, close)}
          >
            <Link role="menuitem" to="/purchases" onClick={() => setOpen(false)}>
              Past Purchases
            </Link>
            <Link role="menuitem" to="/profile" onClick={() => setOpen(false)}>
              Profile
            </Link>
            <button role="menuitem" type="button" onClick={() => void logOut()}>
              Logout
            </button>
          </div>
        </div>
      )}
    </div>
  )
}

function moveOrClose(event: KeyboardEvent<HTMLElement>, close: () => void): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')]
  const at = items.findIndex((item) => item === document.activeElement)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
  if (next !== undefined) {
    event.preventDefault()
    items.at(next % items.length)?.focus()
  } else if (event.key === 'Escape' || event.key === 'Tab') {
    close()
  }
}
