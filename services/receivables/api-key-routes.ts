import {
  apiKeyParams,
  apiKeysResponse,
  makeApiKeyRequest,
  makeApiKeyResponse,
  revokeApiKeyResponse,
} from '#contracts/receivables/api-keys'
import { commandContext } from '#services/http/command-context'
import type { Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import type { ApiKeys } from './api-keys.ts'
import { accessOf, assertMayAct, type MerchantOf } from './merchant-access.ts'
import { refusedMerchantAct } from './merchant-refusals.ts'

/** A merchant's keys for programs. */
export function apiKeyRoutes({
  apiKeys,
  merchantOf,
  limits,
}: {
  readonly apiKeys: ApiKeys
  readonly merchantOf: MerchantOf
  readonly limits: Pick<Limits, 'customerChange'>
}): Routes {
  return (route) => {
    route({
      method: 'get',
      path: '/api/receivables/keys',
      summary: "List the merchant's keys for programs",
      access: 'customer',
      answer: apiKeysResponse,
      async handle(_input, { userId }) {
        return {
          access: accessOf(await merchantOf(userId)),
          items: [...(await apiKeys.list(userId))],
        }
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/keys',
      appends: 'key',
      summary: 'Make a key for programs',
      access: 'customer',
      body: makeApiKeyRequest,
      answer: makeApiKeyResponse,
      alsoAnswers: [403, 409, 429],
      async handle({ body }, context) {
        const { userId } = context
        await limits.customerChange.spend(userId)
        assertMayAct(await merchantOf(userId))
        const command = commandContext(context, { kind: 'customer', id: userId })
        const done = await apiKeys.make(userId, body.name, command)
        if (done.kind === 'refused') throw refusedMerchantAct(done.refusal)
        context.customer.remember(done.position)
        return done.value
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/keys/:keyId/revoke',
      appends: 'key',
      summary: 'Revoke a key for programs',
      access: 'customer',
      params: apiKeyParams,
      answer: revokeApiKeyResponse,
      alsoAnswers: [404, 429],
      // Without a plan, too: a lost key must be revocable.
      async handle({ params }, context) {
        const { userId } = context
        await limits.customerChange.spend(userId)
        const command = commandContext(context, { kind: 'customer', id: userId })
        const done = await apiKeys.revoke(userId, params.keyId, command)
        if (done.kind === 'refused') throw refusedMerchantAct(done.refusal)
        context.customer.remember(done.position)
        return { keyId: done.value }
      },
    })
  }
}
