import { useState } from 'react'
import { fetchOwnData } from '../../api/account-api.ts'
import { browser } from '../../lib/browser.ts'
import { errorText } from '../../lib/http.ts'
import { showToast } from '../../lib/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'

/** The download of the customer's data, and the deletion of the account. */
export function YourData({ email }: { email: string }) {
  const [asks, setAsks] = useState(false)
  const [loading, setLoading] = useState(false)

  async function download() {
    setLoading(true)
    const { error, ...found } = await fetchOwnData()
    setLoading(false)
    if (found.file !== undefined) browser.saveFile(found.file, found.name)
    else showToast('error', errorText(error, 'Your data could not be downloaded. Try again.'))
  }

  return (
    <Panel title="Your data" padded={false}>
      <div className="profile-part">
        <p className="muted">
          A file with everything that we have recorded about you: profile, payments, plans,
          sessions. Clients and invoices are exported from their lists under Receivables.
        </p>
        <Button look="line" busy={loading} onClick={() => void download()}>
          Download my data
        </Button>
      </div>
      <div className="profile-part">
        <p className="muted">Your plan ends at once, and your personal data is erased.</p>
        <Button look="risk" onClick={() => setAsks(true)}>
          Delete account
        </Button>
      </div>
      {asks && <DeleteAccountDialog email={email} onClose={() => setAsks(false)} />}
    </Panel>
  )
}
