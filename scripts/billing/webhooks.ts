import { Command, InvalidArgumentError } from 'commander'
import {
  idAtProvider,
  isProviderRef,
  refAt,
  type ProviderRef,
} from '#contracts/events/provider-ref'
import { errorMessage } from '#services/foundation/error-message'
import { StartupError } from '#services/foundation/startup-error'
import { withBilling } from '#services/operations/operator-billing'
import { asOperator } from '#services/operations/operator-context'
import { providerApi } from '#services/operations/provider-account'
import { assertProviderRuns } from '#services/operations/provider-runs'
import { createWebhookLog, type LoggedWebhook } from '#services/billing/webhooks/webhook-log'
import { systemClock } from '#services/foundation/clock'
import { onSourceLog } from './on-source-log.ts'
import { positiveInteger } from './positive-integer.ts'
import { print } from './print.ts'

/** `billing webhooks …`: the provider's events that reached the product. */
export function webhooksCommand(): Command {
  return new Command('webhooks')
    .description('List the webhooks that arrived and what each led to, and replay one.')
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(replayCommand())
}

interface ListOptions {
  readonly failed?: boolean
  readonly since?: string
  readonly limit: number
}

function listCommand(): Command {
  return new Command('list')
    .description('List webhooks, newest first.')
    .option('--failed', 'only webhooks whose synchronization failed')
    .option(
      '--since <time>',
      'only webhooks that arrived since this time (2026-03-03T09:00Z)',
      time,
    )
    .option('--limit <count>', 'at most this many', positiveInteger, 100)
    .addHelpText('after', '\nThe webhooks of the last 90 days are kept, without their payload.')
    .action(({ failed = false, since, limit }: ListOptions) =>
      asOperator(async ({ pool }) => {
        const webhooks = await createWebhookLog(pool, systemClock).list({
          isFailed: failed,
          since: since ?? null,
          limit,
        })
        if (webhooks.length === 0)
          print(
            failed || since !== undefined
              ? 'No webhook matches these options.\n'
              : 'No webhook arrived.\n',
          )
        for (const webhook of webhooks) print(`${lineOf(webhook)}\n`)
        if (webhooks.length === limit) print(`There may be older webhooks: raise --limit.\n`)
      }),
    )
}

function showCommand(): Command {
  return new Command('show')
    .argument('<id>', 'the event id of the provider: evt_…')
    .description('Show one webhook and its latest outcome.')
    .action((id: string) =>
      asOperator(async ({ pool }) => {
        const webhook = await createWebhookLog(pool, systemClock).find(eventRefOf(id))
        if (webhook === null)
          throw new StartupError(
            `The webhook log does not have ${id}. Webhooks are kept for 90 days. 'billing webhooks replay ${id}' fetches it from the provider.`,
          )
        print(
          [
            `event        ${idAtProvider(webhook.eventRef)}, ${webhook.type}`,
            `created      ${webhook.created}`,
            `API version  ${webhook.apiVersion ?? 'none'}${versionNote(webhook)}`,
            `customer     ${idAtProvider(webhook.customerRef) ?? 'none named'}`,
            `account      ${webhook.userId ?? 'none'}`,
            `received     ${webhook.receivedAt}`,
            `handled      ${webhook.handledAt}, by ${webhook.source}, ${webhook.attempts} ${webhook.attempts === 1 ? 'attempt' : 'attempts'}`,
            `outcome      ${outcomeOf(webhook)}`,
            '',
          ].join('\n'),
        )
      }),
    )
}

function replayCommand(): Command {
  return new Command('replay')
    .argument('<id>', 'the event id of the provider: evt_…')
    .description('Fetch an event from the provider and handle it as a webhook again.')
    .addHelpText(
      'after',
      '\nThe provider keeps events for 30 days. A repeat records no fact twice.',
    )
    .action(async (id: string) => {
      await assertProviderRuns(process.env)
      await onSourceLog((context) =>
        withBilling(context, async ({ feed, handle }) => {
          const outcome = await replay(id, { feed, handle })
          print(
            outcome.kind === 'synchronized'
              ? `${id} is handled: ${outcome.userId} is synchronized, ${outcome.facts} facts recorded.\n`
              : `${id} is ignored: ${outcome.reason}\n`,
          )
        }),
      )
    })
}

async function replay(
  id: string,
  { feed, handle }: Pick<Parameters<Parameters<typeof withBilling>[1]>[0], 'feed' | 'handle'>,
) {
  try {
    const providerEvent = await feed.retrieve(eventRefOf(id))
    if (providerEvent !== null) return await handle(providerEvent, 'webhook')
  } catch (error) {
    throw new StartupError(`${id} could not be handled: ${errorMessage(error)}`)
  }
  throw new StartupError(
    `The provider does not have the event ${id}. Check the id; events are kept for 30 days. 'billing reconcile --all' synchronizes every customer.`,
  )
}

/** Also with the provider's name, as log lines show the event. */
function eventRefOf(id: string): ProviderRef {
  return isProviderRef(id) ? id : refAt(providerApi.name, id)
}

function lineOf(webhook: LoggedWebhook): string {
  const { receivedAt, eventRef, type, userId, customerRef } = webhook
  return `${receivedAt}  ${idAtProvider(eventRef)}  ${type}  ${userId ?? idAtProvider(customerRef) ?? '-'}  ${outcomeOf(webhook)}${versionNote(webhook)}`
}

function outcomeOf({ outcome, facts, reason, source, attempts }: LoggedWebhook): string {
  const detail = outcome === 'synchronized' ? `${facts} facts` : (reason ?? '')
  const times = attempts === 1 ? '' : ` (attempt ${attempts})`
  return `${outcome}${times}${source === 'reconciler' ? ' by the reconciler' : ''}: ${detail}`
}

function versionNote({ apiVersion }: LoggedWebhook): string {
  return apiVersion === null || apiVersion === providerApi.version
    ? ''
    : ` [API version ${apiVersion}, not ${providerApi.version}]`
}

function time(text: string): string {
  const at = new Date(text)
  if (Number.isNaN(at.getTime()))
    throw new InvalidArgumentError('It must be a time such as 2026-03-03T09:00Z.')
  return at.toISOString()
}
