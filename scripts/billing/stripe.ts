import { Command } from 'commander'
import { errorMessage } from '#services/foundation/error-message'
import { StartupError } from '#services/foundation/startup-error'
import { assertSandboxAnswers } from '#services/operations/provider-runs'
import { stripeAccountOf, type StripeAccount } from '#services/operations/stripe-account'
import {
  setUpPortal,
  setUpWebhookEndpoint,
  type EndpointSource,
} from '#services/payments/stripe/setup'
import { isLocalAddress } from '#services/settings/is-local-address'
import { print } from './print.ts'

/** `billing stripe …`: prepares an account at Stripe for the product. */
export function stripeCommand(): Command {
  return new Command('stripe')
    .description('Prepare an account at Stripe for the product.')
    .addCommand(setupCommand())
}

interface Options {
  readonly newEndpoint?: boolean
  readonly newConnectEndpoint?: boolean
}

function setupCommand(): Command {
  return new Command('setup')
    .description(
      'Create the webhook endpoints and the portal configuration, and print their settings.',
    )
    .option('--new-endpoint', 'create another endpoint: the secret of the present one is lost')
    .option('--new-connect-endpoint', 'the same for the endpoint of merchants’ accounts')
    .addHelpText(
      'after',
      [
        '',
        'Needs STRIPE_SECRET_KEY, the prices of the plans and PUBLIC_URL. No database is opened.',
        'A repeated run finds what an earlier run created, and corrects it.',
      ].join('\n'),
    )
    .action((options: Options) => setUp(stripeAccountOf(process.env), options))
}

interface Endpoint {
  readonly path: string
  readonly source: EndpointSource
  /** The setting with its secret. */
  readonly setting: string
  /** Makes another one. */
  readonly option: string
  readonly isNew: boolean
}

const endpointsOf = ({ newEndpoint, newConnectEndpoint }: Options): readonly Endpoint[] => [
  {
    path: '/api/stripe/webhook',
    source: 'own-account',
    setting: 'STRIPE_WEBHOOK_SECRET',
    option: '--new-endpoint',
    isNew: newEndpoint === true,
  },
  {
    path: '/api/webhooks/stripe-connect',
    source: 'connected-accounts',
    setting: 'STRIPE_CONNECT_WEBHOOK_SECRET',
    option: '--new-connect-endpoint',
    isNew: newConnectEndpoint === true,
  },
]

async function setUp(account: StripeAccount, options: Options): Promise<void> {
  const { stripe, sandboxUrl, priceIds, publicUrl } = account
  if (sandboxUrl !== null) await assertSandboxAnswers(sandboxUrl)
  else if (isLocalAddress(publicUrl))
    throw new StartupError(
      `PUBLIC_URL is ${publicUrl}, which Stripe cannot reach. Set PUBLIC_URL to the public https address of the product.`,
    )
  try {
    for (const endpoint of endpointsOf(options)) await setUpEndpoint(account, endpoint)
    const portal = await setUpPortal(stripe, {
      priceIds: Object.values(priceIds),
      returnUrl: `${publicUrl}/purchases`,
    })
    print(`STRIPE_PORTAL_CONFIGURATION=${portal}\n`)
  } catch (error) {
    throw new StartupError(
      `${errorMessage(error)} Keep the lines that were printed, correct it and run the command again: it continues with what exists.`,
    )
  }
  process.stderr.write('Set the printed lines in the environment and restart the product.\n')
}

/** Prints a secret at once: the provider returns it only this time, and a later step can fail. */
async function setUpEndpoint(
  { stripe, publicUrl }: StripeAccount,
  { path, source, setting, option, isNew }: Endpoint,
): Promise<void> {
  const url = `${publicUrl}${path}`
  const { id, secret, outdated } = await setUpWebhookEndpoint(stripe, { url, source, isNew })
  process.stderr.write(
    secret === null
      ? `The webhook endpoint ${id} for ${url} exists, so ${setting} stays as it is. If the secret is lost, run the command with ${option} and delete ${id} at Stripe.\n`
      : `Created the webhook endpoint ${id} for ${url}.\n`,
  )
  for (const each of outdated)
    process.stderr.write(
      `The endpoint ${each.id} has the API version ${each.apiVersion ?? 'of the account'}. Set ${setting} to the new and the old secret, separated by a comma. After the restart, delete ${each.id} at Stripe.\n`,
    )
  if (secret !== null) print(`${setting}=${secret}\n`)
}
