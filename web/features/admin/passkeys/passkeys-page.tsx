import { useState } from 'react'
import type { ListedPasskey } from '#contracts/admin/passkeys'
import { useListPasskeysQuery } from '../../../api/passkeys-api.ts'
import { formatDay, formatTime, timeZoneName } from '../../../lib/dates.ts'
import { focusPanelHeading } from '../../../lib/focus-heading.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { FetchFailure } from '../fetch-failure.tsx'
import { AuditHead, AuditPage } from '../history/audit-page.tsx'
import { AddPasskey, RemovePasskey, RenamePasskey } from './passkey-dialogs.tsx'
import { whyNoPasskey } from './passkey-problems.ts'
import './passkeys.css'

/** The passkeys of the signed-in administrator. */
export function PasskeysPage() {
  return (
    <AuditPage title="Your passkeys">
      <AuditHead
        trail={{ above: 'Dashboard', here: 'Your passkeys' }}
        title="Your passkeys"
        note="A passkey signs you in with the fingerprint, the face or the PIN of your device, without the password and the mailed code."
      />
      <Passkeys />
    </AuditPage>
  )
}

type Open =
  | { readonly kind: 'add' }
  | { readonly kind: 'rename' | 'remove'; readonly passkey: ListedPasskey }

function Passkeys() {
  const { currentData, isError, error, isFetching, refetch } = useListPasskeysQuery(undefined, {
    refetchOnMountOrArgChange: true,
  })
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  if (currentData === undefined)
    return (
      <Panel title="Passkeys">
        {isError ? (
          <FetchFailure
            what="passkeys"
            error={error}
            retrying={isFetching}
            onRetry={() => void refetch()}
          />
        ) : (
          <p role="status">Loading your passkeys...</p>
        )}
      </Panel>
    )
  const { passkeys, origin } = currentData
  const cannot = currentData.cannotAdd ?? whyNoPasskey(origin)
  return (
    <Panel
      title="Passkeys"
      padded={false}
      actions={
        cannot === null && (
          <Button look="ink" size="sm" onClick={() => setOpen({ kind: 'add' })}>
            Add a passkey
          </Button>
        )
      }
    >
      {cannot !== null && (
        <div className="passkey-note">
          <Notice>{cannot}</Notice>
        </div>
      )}
      {passkeys.length === 0 && <p className="passkey-note">You have no passkey.</p>}
      <ul className="passkeys">
        {passkeys.map((passkey) => (
          <li key={passkey.passkeyId}>
            <div>
              <p className="passkey-name">{passkey.label}</p>
              <p className="passkey-times num">
                <span>Added {timeOf(passkey.addedAt)}</span>
                <span>
                  {passkey.usedAt === null ? 'Never used' : `Last used ${timeOf(passkey.usedAt)}`}
                </span>
              </p>
            </div>
            <div className="passkey-actions">
              <Button
                look="line"
                size="sm"
                aria-label={`Rename ${passkey.label}`}
                onClick={() => setOpen({ kind: 'rename', passkey })}
              >
                Rename
              </Button>
              <Button
                look="risk"
                size="sm"
                aria-label={`Remove ${passkey.label}`}
                onClick={(event) => {
                  // The row is gone after the removal.
                  focusPanelHeading(event.currentTarget)
                  setOpen({ kind: 'remove', passkey })
                }}
              >
                Remove
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {open?.kind === 'add' && <AddPasskey onClose={close} />}
      {open?.kind === 'rename' && <RenamePasskey passkey={open.passkey} onClose={close} />}
      {open?.kind === 'remove' && <RemovePasskey passkey={open.passkey} onClose={close} />}
    </Panel>
  )
}

const timeOf = (at: string) => `${formatDay(at)}, ${formatTime(at)} ${timeZoneName}`
