import { PurchasesPage } from '../features/purchases/purchases-page.tsx'
import { SubscriptionDialog } from '../features/subscription-dialog/subscription-dialog.tsx'

/** Combines two features: a feature does not import another feature. */
export function PurchasesRoute() {
  return <PurchasesPage PlansDialog={SubscriptionDialog} />
}
