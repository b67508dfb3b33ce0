import { useEffect } from 'react'
import { Link } from 'react-router-dom'
import { readableAddress } from '#contracts/readable-address'
import { useGetProfileQuery } from '../../api/account-api.ts'
import { focusPageHeading } from '../../lib/focus-heading.ts'
import { showToast } from '../../lib/toasts.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CustomerPage } from '../../ui/customer-page.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Panel } from '../../ui/panel.tsx'
import { CompanyProfile } from './company-profile.tsx'
import { EmailAddresses } from './email-addresses.tsx'
import { ProfileSkeleton } from './profile-skeleton.tsx'
import { Sessions } from './sessions.tsx'
import { YourData } from './your-data.tsx'
import './profile-page.css'

/** The customer's own account: company profile, e-mail addresses, sessions, data, deletion. */
export function ProfilePage() {
  return (
    <CustomerPage title="Profile" goal="your profile" visitorsGo="nowhere">
      {(email) => <Profile email={email} />}
    </CustomerPage>
  )
}

function Profile({ email }: { email: string }) {
  const { currentData: account, isError, isFetching, refetch } = useGetProfileQuery()
  const failed = isError && account === undefined

  useEffect(() => {
    if (failed) showToast('error', 'Failed to load data')
  }, [failed])

  return (
    <>
      <PageHead
        title="Profile"
        note={account?.profile?.company_name ?? readableAddress(email)}
        actions={
          <Link className={buttonClass({ look: 'line' })} to="/purchases">
            Past Purchases
          </Link>
        }
      />
      {failed && (
        <Panel title="Your profile could not be loaded">
          <p className="muted">
            The server did not answer as it should. Nothing has changed on your account.
          </p>
          <Button
            className="profile-retry"
            look="line"
            busy={isFetching}
            onClick={() => {
              focusPageHeading()
              void refetch()
            }}
          >
            Retry
          </Button>
        </Panel>
      )}
      {!failed && account === undefined && <ProfileSkeleton />}
      {account !== undefined && (
        <div className="profile-columns">
          <div>
            <CompanyProfile account={account} />
            <Sessions />
          </div>
          <div>
            <EmailAddresses account={account} />
            <YourData email={account.email} />
          </div>
        </div>
      )}
    </>
  )
}
