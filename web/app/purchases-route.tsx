import { PurchasesPage } from '../features/purchases/purchases-page.tsx'
import { SubscriptionDialog } from '../features/subscription-dialog/subscription-dialog.tsx'

/** Where two features meet: neither knows the other. */
export function PurchasesRoute() {
  return <PurchasesPage PlansDialog={SubscriptionDialog} />
}
