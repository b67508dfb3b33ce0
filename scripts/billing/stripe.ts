import { Command } from 'commander'
import { errorMessage } from '#services/foundation/error-message'
import { StartupError } from '#services/foundation/startup-error'
import { assertSandboxAnswers } from '#services/operations/provider-runs'
import { stripeAccountOf, type StripeAccount } from '#services/operations/stripe-account'
import { setUpPortal, setUpWebhookEndpoint } from '#services/payments/stripe/setup'
import { isLocalAddress } from '#services/start/is-local-address'
import { print } from './print.ts'

/** `billing stripe …`: prepares an account at Stripe for the product. */
export function stripeCommand(): Command {
  return new Command('stripe')
    .description('Prepare an account at Stripe for the product.')
    .addCommand(setupCommand())
}

interface Options {
  readonly newEndpoint?: boolean
}

function setupCommand(): Command {
  return new Command('setup')
    .description(
      'Create the webhook endpoint and the portal configuration, and print their settings.',
    )
    .option('--new-endpoint', 'create another endpoint: the secret of the present one is lost')
    .addHelpText(
      'after',
      [
        '',
        'Needs STRIPE_SECRET_KEY, the prices of the plans and PUBLIC_URL. No database is opened.',
        'A repeated run finds what an earlier run created, and corrects it.',
      ].join('\n'),
    )
    .action(({ newEndpoint = false }: Options) => setUp(stripeAccountOf(process.env), newEndpoint))
}

async function setUp(account: StripeAccount, isNew: boolean): Promise<void> {
  const { stripe, sandboxUrl, priceIds, publicUrl } = account
  if (sandboxUrl !== null) await assertSandboxAnswers(sandboxUrl)
  else if (isLocalAddress(publicUrl))
    throw new StartupError(
      `PUBLIC_URL is ${publicUrl}, which Stripe cannot reach. Set PUBLIC_URL to the public https address of the product.`,
    )
  const url = `${publicUrl}/api/stripe/webhook`
  try {
    const endpoint = await setUpWebhookEndpoint(stripe, { url, isNew })
    const portal = await setUpPortal(stripe, {
      priceIds: Object.values(priceIds),
      returnUrl: `${publicUrl}/purchases`,
    })
    process.stderr.write(
      endpoint.secret === null
        ? `The webhook endpoint ${endpoint.id} for ${url} exists, so STRIPE_WEBHOOK_SECRET stays as it is. If the secret is lost, run the command with --new-endpoint and delete ${endpoint.id} at Stripe.\n`
        : `Created the webhook endpoint ${endpoint.id} for ${url}.\n`,
    )
    for (const { id, apiVersion } of endpoint.outdated)
      process.stderr.write(
        `The endpoint ${id} has the API version ${apiVersion ?? 'of the account'}. Set STRIPE_WEBHOOK_SECRET to the new and the old secret, separated by a comma. After the restart, delete ${id} at Stripe.\n`,
      )
    process.stderr.write('Set these lines in the environment and restart the product:\n')
    if (endpoint.secret !== null) print(`STRIPE_WEBHOOK_SECRET=${endpoint.secret}\n`)
    print(`STRIPE_PORTAL_CONFIGURATION=${portal}\n`)
  } catch (error) {
    throw new StartupError(
      `${errorMessage(error)} Correct it and run the command again: it continues with what exists.`,
    )
  }
}
