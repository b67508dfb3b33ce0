import { AdminLogin } from '../features/admin/admin-login.tsx'
import { ReceiptPage } from '../features/receipts/receipt-page.tsx'

/** Combines two features: a feature does not import another feature. */
export function ReceiptRoute() {
  return <ReceiptPage AdminLogin={AdminLogin} />
}
