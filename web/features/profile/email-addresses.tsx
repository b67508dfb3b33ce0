import { Fragment, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ProfileResponse } from '#contracts/account'
import { brand } from '#contracts/brand/brand'
import { readableAddress } from '#contracts/readable-address'
import { useRemoveSecondaryEmailMutation } from '../../api/account-api.ts'
import { focusPanelHeading } from '../../lib/focus-heading.ts'
import { errorText } from '../../lib/http.ts'
import { changeStored } from '../../lib/stored-values.ts'
import { showToast } from '../../lib/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Panel } from '../../ui/panel.tsx'

/** The addresses that the customer can log in with. Support adds a secondary address. */
export function EmailAddresses({
  account: { email, secondary_email: secondary },
}: {
  account: ProfileResponse
}) {
  const [asks, setAsks] = useState(false)
  const rows = useRef<HTMLUListElement>(null)

  function leaveRemoved() {
    // The dialog returns the focus to its opener, which the removal of the address deletes.
    flushSync(() => setAsks(false))
    focusPanelHeading(rows.current)
  }

  const mail = <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>
  return (
    <Panel title="E-mail addresses" padded={false}>
      <ul ref={rows} className="profile-rows">
        <li className="profile-address">
          <p className="label">Primary</p>
          <p className="profile-value">
            <Address text={email} />
          </p>
        </li>
        <li className="profile-address">
          <p className="label">Secondary</p>
          {secondary !== null && (
            <Button look="link" className="profile-remove" onClick={() => setAsks(true)}>
              Remove
            </Button>
          )}
          <p className={secondary === null ? 'muted' : 'profile-value'}>
            {secondary === null ? 'None' : <Address text={secondary} />}
          </p>
        </li>
      </ul>
      <p className="profile-note">
        {secondary === null ? (
          <>To add a second address to log in with, write to support: {mail}.</>
        ) : (
          <>You can log in with either address. To change one, write to support: {mail}.</>
        )}
      </p>
      {asks && secondary !== null && (
        <RemoveSecondary
          primary={email}
          secondary={secondary}
          onRemoved={leaveRemoved}
          onClose={() => setAsks(false)}
        />
      )}
    </Panel>
  )
}

/** A long address breaks before the @ or a dot, not inside a word. */
function Address({ text }: { text: string }) {
  return (
    <span>
      {readableAddress(text)
        .split(/(?=[@.])/)
        .map((part, place) => (
          <Fragment key={place}>
            {place > 0 && <wbr />}
            {part}
          </Fragment>
        ))}
    </span>
  )
}

function RemoveSecondary({
  primary,
  secondary,
  onRemoved,
  onClose,
}: {
  primary: string
  secondary: string
  onRemoved: () => void
  onClose: () => void
}) {
  const [remove, { isLoading, error }] = useRemoveSecondaryEmailMutation()

  async function confirm() {
    const result = await remove()
    if (result.error) return
    // The customer may have signed in with the removed address. The server refuses requests for it.
    changeStored({ userEmail: primary })
    onRemoved()
    showToast('success', 'The secondary e-mail is removed.')
  }

  return (
    <ConfirmDialog
      title="Remove the secondary e-mail?"
      action="Remove"
      busy={isLoading}
      problem={
        error === undefined
          ? null
          : errorText(error, 'The secondary e-mail could not be removed. Try again.')
      }
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>
        <b>{readableAddress(secondary)}</b> can no longer log in to this account. Only support can
        add it again.
      </p>
    </ConfirmDialog>
  )
}
