import type { ClientResponse } from '#contracts/receivables/clients'
import { browser } from '../../../lib/browser.ts'
import { showToast } from '../../../lib/toasts.ts'
import { Button } from '../../../ui/button.tsx'
import { Description, Descriptions } from '../../../ui/descriptions.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { clockTime, instantDay } from '../shared/days.ts'
import './portal-panel.css'

interface PortalPanelProps {
  readonly portal: NonNullable<ClientResponse['portal']>
  readonly timeZone: string
  readonly mayRevoke: boolean
  readonly onRevoke: () => void
}

/** The client's own page: its link, and when a person opened it. */
export function PortalPanel({ portal, timeZone, mayRevoke, onRevoke }: PortalPanelProps) {
  async function copy(): Promise<void> {
    if (await browser.copyText(portal.url)) showToast('success', 'The link is copied.')
    else showToast('error', 'The browser did not copy the link. Select and copy it.')
  }

  return (
    <Panel title="Portal link">
      <p className="portal-link mono">{portal.url}</p>
      <p className="portal-note">
        Who has the link sees what this client owes you. It needs no password.
      </p>
      <Descriptions>
        <Description term="Opened">
          {portal.openedAt === null
            ? 'Not yet'
            : `Last on ${instantDay(portal.openedAt, timeZone)}, ${clockTime(portal.openedAt, timeZone)}`}
        </Description>
      </Descriptions>
      <div className="rcv-words portal-acts">
        <Button look="link" onClick={() => void copy()}>
          Copy the link
        </Button>
        <a href={portal.url} target="_blank" rel="noreferrer">
          Open it
        </a>
        {mayRevoke && (
          <Button look="link" onClick={onRevoke}>
            Revoke it
          </Button>
        )}
      </div>
    </Panel>
  )
}
