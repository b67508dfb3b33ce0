import { testContext } from '../../../support/data/test-context.ts'
import type { AppSide, TestCustomer } from '../../../support/product/app-side.ts'

/** Gives the account a second address, and a session that signed in with it. */
export async function withSecondaryEmail(
  { userId, email }: TestCustomer,
  side: AppSide,
): Promise<void> {
  const second = `second.${email}`
  await side.accounts.setSecondaryEmail(userId, second, testContext())
  await side.signInAs(userId, second)
}
