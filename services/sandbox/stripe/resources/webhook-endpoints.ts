import type Stripe from 'stripe'
import { z } from 'zod'
import { newId, randomText } from '../../store/ids.ts'
import type { WebhookEndpoint } from '../../store/stripe-objects.ts'
import type { ReadTransaction } from '../../store/transaction.ts'
import { platformApplicationId } from '../connected-account.ts'
import { missing } from '../errors.ts'
import { listPage } from '../list-page.ts'
import { changing, reading, type Operation } from '../operation.ts'
import {
  absoluteUrl,
  emptiableText,
  emptyable,
  flag,
  mergeMetadata,
  metadata,
  paging,
  paramsOf,
} from '../params.ts'

type EnabledEvent = Stripe.WebhookEndpointCreateParams.EnabledEvent

const enabledEvents = z
  .array(
    z.custom<EnabledEvent>(
      (value) => typeof value === 'string' && /^(\*|[a-z_]+(\.[a-z_]+)+)$/.test(value),
      'must be an event type or *',
    ),
  )
  .min(1, 'must name an event type, or *')

const shared = {
  description: emptiableText.optional(),
  metadata: emptyable(metadata).optional(),
}
const createParams = paramsOf<Stripe.WebhookEndpointCreateParams>()({
  ...shared,
  api_version: z
    .custom<Stripe.WebhookEndpointCreateParams.ApiVersion>((value) => typeof value === 'string')
    .optional(),
  connect: flag.optional(),
  enabled_events: enabledEvents,
  url: absoluteUrl,
})
const updateParams = paramsOf<Stripe.WebhookEndpointUpdateParams>()({
  ...shared,
  disabled: flag.optional(),
  enabled_events: enabledEvents.optional(),
  url: absoluteUrl.optional(),
})

/**
 * Webhook endpoints are stored and not used: the sandbox sends its webhooks to the address of its
 * settings.
 */
export const webhookEndpointOperations: readonly Operation[] = [
  changing('post', '/v1/webhook_endpoints', createParams, async ({ tx, params }) => {
    const endpoint = {
      id: newId('webhook_endpoint'),
      object: 'webhook_endpoint',
      api_version: params.api_version ?? null,
      // Stripe returns no `connect`: the application says whose events the endpoint receives.
      application: params.connect === true ? platformApplicationId : null,
      created: tx.now,
      description: params.description || null,
      enabled_events: params.enabled_events,
      livemode: false,
      metadata: mergeMetadata({}, params.metadata),
      status: 'enabled',
      url: params.url,
    } satisfies WebhookEndpoint
    await tx.add(endpoint)
    // Only this answer contains the secret. The sandbox does not store it.
    return { ...endpoint, secret: `whsec_${randomText(32)}` }
  }),
  reading(
    '/v1/webhook_endpoints',
    paramsOf<Stripe.WebhookEndpointListParams>()(paging),
    ({ tx, params }) =>
      listPage(tx, 'webhook_endpoint', '/v1/webhook_endpoints', params, [
        { path: ['status'], isOneOf: ['enabled', 'disabled'] },
      ]),
  ),
  reading(
    '/v1/webhook_endpoints/:id',
    paramsOf<Stripe.WebhookEndpointRetrieveParams>()({}),
    ({ tx, id }) => endpointById(tx, id),
  ),
  changing('post', '/v1/webhook_endpoints/:id', updateParams, async ({ tx, params, id }) => {
    const before = await endpointById(tx, id)
    const endpoint: WebhookEndpoint = {
      ...before,
      ...(params.description === undefined ? {} : { description: params.description || null }),
      enabled_events: params.enabled_events ?? before.enabled_events,
      metadata: mergeMetadata(before.metadata, params.metadata),
      status:
        params.disabled === undefined ? before.status : params.disabled ? 'disabled' : 'enabled',
      url: params.url ?? before.url,
    }
    await tx.save(endpoint)
    return endpoint
  }),
  changing(
    'delete',
    '/v1/webhook_endpoints/:id',
    paramsOf<Stripe.WebhookEndpointDeleteParams>()({}),
    async ({ tx, id }) => {
      const endpoint = await endpointById(tx, id)
      await tx.save({ ...endpoint, status: 'deleted' })
      return {
        id,
        object: 'webhook_endpoint',
        deleted: true,
      } satisfies Stripe.DeletedWebhookEndpoint
    },
  ),
]

async function endpointById(tx: ReadTransaction, id: string): Promise<WebhookEndpoint> {
  const endpoint = await tx.find('webhook_endpoint', id)
  if (!endpoint || endpoint.status === 'deleted') throw missing('webhook endpoint', id)
  return endpoint
}
