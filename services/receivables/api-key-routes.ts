import {
  apiKeyParams,
  apiKeysResponse,
  makeApiKeyRequest,
  makeApiKeyResponse,
  revokeApiKeyResponse,
} from '#contracts/receivables/api-keys'
import { unreachable } from '#services/foundation/decider'
import { commandContext } from '#services/http/command-context'
import { HttpError } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import type { ApiKeys, KeyRefusal } from './api-keys.ts'
import { accessOf, assertMayAct, type MerchantOf } from './merchant-access.ts'

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
        if (done.kind === 'refused') throw refusedKey(done.refusal)
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
        if (done.kind === 'refused') throw refusedKey(done.refusal)
        context.customer.remember(done.position)
        return { keyId: done.value }
      },
    })
  }
}

function refusedKey(refusal: KeyRefusal): HttpError {
  switch (refusal) {
    case 'unknown-key':
      return new HttpError(404, { error: 'There is no such key. Refresh the page.' })
    case 'too-many-keys':
      return new HttpError(409, {
        error: '20 keys are in use. Revoke one that no program uses, then make another one.',
        code: refusal,
      })
    case 'key-was-shown':
      return new HttpError(409, {
        error: 'The key was made, and is shown once only. Revoke it, and make another one.',
        code: refusal,
      })
    case 'erased':
      return new HttpError(409, { error: 'The account was erased.', code: refusal })
    default:
      return unreachable(refusal)
  }
}
