import { useState, type ComponentType } from 'react'
import { Link, useParams } from 'react-router-dom'
import { readableAddress } from '#contracts/readable-address'
import { receiptText } from '#contracts/receipt-text'
import { useGetReceiptQuery } from '../../api/receipts-api.ts'
import { focusPageHeading } from '../../lib/focus-heading.ts'
import { isApiError } from '../../lib/http.ts'
import { useLogin } from '../../lib/login-request.ts'
import { useStored } from '../../lib/stored-values.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { LogInFirst } from '../../ui/log-in-first.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SessionEnded } from '../../ui/session-ended.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ReceiptSheet } from './receipt-sheet.tsx'
import './receipt-page.css'

interface ReceiptPageProps {
  /** The login for an administrator whose session has ended. */
  readonly AdminLogin: ComponentType
}

/**
 * The receipt of a payment or a refund, or a credit note, for its customer and for administrators.
 * Mails link to it: without a session, the page offers a login at its own address.
 */
export function ReceiptPage({ AdminLogin }: ReceiptPageProps) {
  const { receiptId = '' } = useParams()
  const email = useStored('userEmail')
  const isAdmin = useStored('adminAuthenticated') !== null
  const customerHasEnded = useStored('customerSessionEnded') !== null
  const [asAdmin, setAsAdmin] = useState(false)
  const adminHasEnded = useStored('adminSessionEnded') !== null

  function content() {
    // Another account starts from the beginning.
    if (email !== null || isAdmin)
      return <Receipt key={email} receiptId={receiptId} email={email} />
    if (customerHasEnded) return <SessionEnded title="Receipt" />
    if (adminHasEnded || asAdmin) return <AdminLogin />
    return (
      <LogInFirst title="Receipt" goal="your receipt">
        <Button look="line" size="md" onClick={() => setAsAdmin(true)}>
          Log in as administrator
        </Button>
      </LogInFirst>
    )
  }

  return <div className="receipt-page">{content()}</div>
}

interface Overview {
  readonly path: string
  readonly label: string
}

const purchases: Overview = { path: '/purchases', label: 'Back to purchases' }
const dashboard: Overview = { path: '/admin/dashboard', label: 'Back to the dashboard' }

/** `email` is that of a signed-in customer. Null for an administrator alone. */
function Receipt({ receiptId, email }: { receiptId: string; email: string | null }) {
  const overview = email === null ? dashboard : purchases
  const { currentData, error, isFetching, refetch } = useGetReceiptQuery({ receiptId })
  usePageTitle(currentData ? receiptText(currentData).title : 'Receipt')
  return (
    <>
      <nav className="receipt-actions" aria-label="Receipt">
        <Link to={overview.path}>{overview.label}</Link>
        {currentData && (
          <>
            <Button look="line" onClick={() => window.print()}>
              Print
            </Button>
            <a
              className={buttonClass({})}
              href={currentData.pdf_url}
              download={currentData.file_name}
            >
              Download PDF
            </a>
          </>
        )}
      </nav>
      {currentData && <ReceiptSheet receipt={currentData} />}
      {!currentData && error === undefined && <ReceiptSkeleton />}
      {!currentData && error !== undefined && (
        <Failure
          isUnknown={isApiError(error) && error.status === 404}
          email={email}
          retrying={isFetching}
          onRetry={() => {
            focusPageHeading()
            void refetch()
          }}
        />
      )}
    </>
  )
}

function ReceiptSkeleton() {
  return (
    <>
      <p className="sr-only" role="status">
        Loading your receipt...
      </p>
      <div className="receipt-sheet" aria-hidden="true">
        <Skeleton width="160px" height="26px" />
        <div className="receipt-skeleton">
          <Skeleton width="140px" height="32px" />
          <Skeleton height="120px" />
          <Skeleton height="80px" />
        </div>
      </div>
    </>
  )
}

function Failure({
  isUnknown,
  email,
  retrying,
  onRetry,
}: {
  isUnknown: boolean
  email: string | null
  retrying: boolean
  onRetry: () => void
}) {
  const login = useLogin()
  if (isUnknown && email !== null)
    return (
      <Panel title="There is no such receipt in your account">
        <p className="muted">
          The receipt belongs to another account, or its address is incomplete. You are logged in as{' '}
          {readableAddress(email)}. If the mail was for another address, log in with it. Your own
          receipts are in the transaction history.
        </p>
        <Button
          className="receipt-retry"
          look="line"
          onClick={() => login.open({ onSignedIn: () => undefined })}
        >
          Use another e-mail
        </Button>
      </Panel>
    )
  if (isUnknown)
    return (
      <Panel title="There is no such receipt">
        <p className="muted">
          The address is incomplete, or there is no payment or refund with this id.
        </p>
      </Panel>
    )
  return (
    <Panel title="The receipt could not be loaded">
      <p className="muted">The server did not answer as it should. Nothing has changed.</p>
      <Button className="receipt-retry" look="line" busy={retrying} onClick={onRetry}>
        Retry
      </Button>
    </Panel>
  )
}
