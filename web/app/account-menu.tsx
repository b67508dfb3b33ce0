import { Link } from 'react-router-dom'
import { readableAddress } from '#contracts/readable-address'
import { browser } from '../lib/browser.ts'
import { callApi } from '../lib/http.ts'
import { forgetCustomer } from '../lib/session-values.ts'
import { useStored } from '../lib/stored-values.ts'
import { showToast } from '../lib/toasts.ts'
import { Menu } from '../ui/menu.tsx'
import { ThemeItems } from '../ui/theme-items.tsx'
import { ThemeMenu } from '../ui/theme-menu.tsx'
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

/** The menu of a signed-in customer, or the switch of the theme for a visitor. */
export function AccountMenu() {
  const email = useStored('userEmail')
  if (email === null) return <ThemeMenu />
  return (
    <Menu
      label="Account"
      button={{
        label: `Account menu of ${readableAddress(email)}`,
        className: avatarClass(email),
        content: email.charAt(0).toUpperCase(),
      }}
      head={<p className="account-address">{readableAddress(email)}</p>}
    >
      {(close) => (
        <>
          <Link role="menuitem" to="/receivables" onClick={close}>
            Receivables
          </Link>
          <Link role="menuitem" to="/purchases" onClick={close}>
            Past Purchases
          </Link>
          <Link role="menuitem" to="/profile" onClick={close}>
            Profile
          </Link>
          <div className="account-themes" role="group" aria-label="Theme">
            <span aria-hidden="true">Theme</span>
            <div role="none">
              <ThemeItems />
            </div>
          </div>
          <button role="menuitem" type="button" onClick={() => void logOut()}>
            Logout
          </button>
        </>
      )}
    </Menu>
  )
}
