import type Stripe from 'stripe'
import { brand } from '#contracts/brand/brand'
import { previousAttributes } from '../store/previous-attributes.ts'
import { shown, type Account } from '../store/stripe-objects.ts'
import type { Transaction } from '../store/transaction.ts'
import { platformApplicationId } from '../stripe/connected-account.ts'
import { nothingDue, requirementsDue } from '../stripe/resources/new-account.ts'

/*
 * What the merchant and Stripe do to a connected account. The account is an object of the platform;
 * its events are the account's.
 */

/** The merchant entered everything: the account can charge and is paid out. */
export async function finishOnboarding(
  tx: Transaction,
  account: Account,
  businessName: string,
): Promise<Account> {
  const { capabilities, settings } = account
  const charges = capabilities?.card_payments !== undefined
  return changeAccount(tx, account, {
    ...(account.business_profile
      ? { business_profile: { ...account.business_profile, name: businessName } }
      : {}),
    ...(settings
      ? {
          settings: {
            ...settings,
            dashboard: { ...settings.dashboard, display_name: businessName },
          },
        }
      : {}),
    ...(capabilities === undefined
      ? {}
      : { capabilities: capabilitiesWith(capabilities, 'active') }),
    charges_enabled: charges,
    details_submitted: true,
    payouts_enabled: true,
    requirements: nothingDue,
    // Stripe shows the platform no date and no address for accounts with the full Dashboard.
    tos_acceptance: { date: null, ip: null, user_agent: null },
  })
}

/** Stripe needs more of the merchant: the account cannot charge until then. */
export async function requireMore(tx: Transaction, account: Account): Promise<Account> {
  const { capabilities } = account
  return changeAccount(tx, account, {
    ...(capabilities === undefined
      ? {}
      : { capabilities: { ...capabilities, ...inactiveCards(capabilities) } }),
    charges_enabled: false,
    requirements: requirementsDue(['individual.verification.document']),
  })
}

/** The merchant removed the platform's access. The platform cannot read the account any more. */
export async function deauthorize(tx: Transaction, account: Account): Promise<void> {
  await tx.on(null).save({ ...account, sandbox: { isConnected: false } })
  await tx.on(account.id).emit('account.application.deauthorized', {
    id: platformApplicationId,
    object: 'application',
    name: brand.name,
  } satisfies Stripe.Application)
}

type Capabilities = NonNullable<Account['capabilities']>

function capabilitiesWith(given: Capabilities, status: 'active' | 'inactive'): Capabilities {
  return Object.fromEntries(Object.keys(given).map((name) => [name, status]))
}

function inactiveCards({ card_payments }: Capabilities): Capabilities {
  return card_payments === undefined ? {} : { card_payments: 'inactive' }
}

async function changeAccount(
  tx: Transaction,
  before: Account,
  change: Partial<Account>,
): Promise<Account> {
  const after: Account = { ...before, ...change }
  await tx.on(null).save(after)
  if (previousAttributes(shown(before), shown(after)) !== null)
    await tx.on(after.id).emit('account.updated', after, before)
  return after
}
