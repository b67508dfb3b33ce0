import type { ComponentType } from 'react'
import { Link, Navigate, useParams } from 'react-router-dom'
import { receiptText } from '#contracts/receipt-text'
import { useGetReceiptQuery } from '../../api/receipts-api.ts'
import { focusPageHeading } from '../../lib/focus-heading.ts'
import { isApiError } from '../../lib/http.ts'
import { useStored } from '../../lib/stored-values.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
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
 * If the session has ended, the page offers a login. A visitor is redirected to the landing page.
 */
export function ReceiptPage({ AdminLogin }: ReceiptPageProps) {
  const { receiptId = '' } = useParams()
  const isCustomer = useStored('userEmail') !== null
  const isAdmin = useStored('adminAuthenticated') !== null
  const customerHasEnded = useStored('customerSessionEnded') !== null
  const adminHasEnded = useStored('adminSessionEnded') !== null

  function content() {
    if (isCustomer || isAdmin)
      return <Receipt receiptId={receiptId} overview={isCustomer ? purchases : dashboard} />
    if (customerHasEnded) return <SessionEnded title="Receipt" />
    return adminHasEnded ? <AdminLogin /> : <Navigate to="/" replace />
  }

  return <div className="receipt-page">{content()}</div>
}

interface Overview {
  readonly path: string
  readonly label: string
}

const purchases: Overview = { path: '/purchases', label: 'Back to purchases' }
const dashboard: Overview = { path: '/admin/dashboard', label: 'Back to the dashboard' }

function Receipt({ receiptId, overview }: { receiptId: string; overview: Overview }) {
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
  retrying,
  onRetry,
}: {
  isUnknown: boolean
  retrying: boolean
  onRetry: () => void
}) {
  if (isUnknown)
    return (
      <Panel title="There is no such receipt">
        <p className="muted">
          The address is incomplete, or the receipt belongs to another account. Your receipts are in
          the transaction history.
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
