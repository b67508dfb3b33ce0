import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { v5 as uuidV5 } from 'uuid'
import { z } from 'zod'
import { isUserId, parseUserId, type UserId } from '#contracts/ids'
import type { ApiKeysResponse } from '#contracts/receivables/api-keys'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Position } from '#services/event-store/event-store'
import type { Clock } from '#services/foundation/clock'
import { instantColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { merchantStream } from '#services/foundation/stream-names'
import type { KeyHolder } from '#services/http/access'
import { merchantDecider, type MerchantRefusal } from './merchant-decider.ts'

export interface ApiKeysParts {
  readonly commands: Pick<CommandHandler, 'handle' | 'load' | 'loadEvents'>
  readonly pool: Queryable
  /** The business clock. */
  readonly clock: Clock
}

/** `key-was-shown`: an earlier answer had the key, which is stored nowhere. */
export type KeyRefusal = MerchantRefusal | 'key-was-shown'

type Done<Value> =
  | { readonly kind: 'refused'; readonly refusal: KeyRefusal }
  | { readonly kind: 'done'; readonly value: Value; readonly position: Position | null }

/** The keys with which a merchant's programs add invoices. */
export interface ApiKeys {
  /** The key is in the answer alone. A repeat of the command makes no other key. */
  make(
    merchantId: UserId,
    name: string,
    context: CommandContext,
  ): Promise<Done<{ readonly keyId: string; readonly key: string }>>
  revoke(merchantId: UserId, keyId: string, context: CommandContext): Promise<Done<string>>
  list(merchantId: UserId): Promise<ApiKeysResponse['items']>
  /**
   * Whose key the header `Authorization` has. Null for a wrong, a revoked or no key: all of them
   * take the same steps. @throws EventStoreUnavailable
   */
  holderOf(authorization: string | undefined): Promise<KeyHolder | null>
}

const namespace = '5d0c8f1e-63a7-5c1b-8b0a-2f9f0e7d4c11'

/** `ark_`, the merchant, and 256 bits in hexadecimal digits. */
const form = /^Bearer +ark_(\w+)_([\da-f]{64})$/i

/** A merchant that no account has: a key without the form takes the steps of a wrong one. */
const noMerchant = parseUserId('usr_none')

/** The time of the last use is written once in this time. */
const useEvery = '1 minute'

const useRow = z.object({ key_id: z.string(), used_at: instantColumn })

export function createApiKeys({ commands, pool, clock }: ApiKeysParts): ApiKeys {
  const now = () => clock.now().toISOString()

  return {
    async make(merchantId, name, context) {
      const key = `ark_${merchantId.slice('usr_'.length)}_${randomBytes(32).toString('hex')}`
      const keyId = `key_${uuidV5(`${merchantId} ${context.commandId}`, namespace)}`
      const handled = await commands.handle({
        decider: merchantDecider,
        stream: merchantStream(merchantId),
        command: {
          type: 'make-api-key',
          keyId,
          name,
          hash: hashOf(key),
          ending: key.slice(-4),
          at: now(),
        },
        context,
      })
      if (handled.kind === 'refused') return { kind: 'refused', refusal: handled.refusal }
      // The first answer was lost, and with it the key. Another one must be made.
      if (handled.state.keys.get(keyId)?.hash !== hashOf(key))
        return { kind: 'refused', refusal: 'key-was-shown' }
      return { kind: 'done', value: { keyId, key }, position: handled.position }
    },

    async revoke(merchantId, keyId, context) {
      const handled = await commands.handle({
        decider: merchantDecider,
        stream: merchantStream(merchantId),
        command: { type: 'revoke-api-key', keyId, at: now() },
        context,
      })
      return handled.kind === 'refused'
        ? { kind: 'refused', refusal: handled.refusal }
        : { kind: 'done', value: keyId, position: handled.position }
    },

    async list(merchantId) {
      const events = await commands.loadEvents({
        decider: merchantDecider,
        stream: merchantStream(merchantId),
      })
      const revoked = new Map(
        events.flatMap((event) =>
          event.type === 'ApiKeyRevoked'
            ? [[event.data.keyId, event.metadata.occurredAt] as const]
            : [],
        ),
      )
      const made = events.flatMap((event) => (event.type === 'ApiKeyMade' ? [event] : []))
      const rows = await allRows(
        pool,
        useRow,
        'SELECT key_id, used_at FROM app.api_key_use WHERE key_id = ANY ($1)',
        [made.map(({ data }) => data.keyId)],
      )
      const used = new Map(rows.map(({ key_id, used_at }) => [key_id, used_at]))
      return made.toReversed().map(({ data: { keyId, name, ending }, metadata }) => ({
        keyId,
        name,
        ending,
        madeAt: metadata.occurredAt,
        lastUsedAt: used.get(keyId) ?? null,
        revokedAt: revoked.get(keyId) ?? null,
      }))
    },

    async holderOf(authorization) {
      const [, owner = '', secret = ''] = form.exec(authorization ?? '') ?? []
      const userId = `usr_${owner}`
      const merchantId = isUserId(userId) ? userId : noMerchant
      const { state } = await commands.load({
        decider: merchantDecider,
        stream: merchantStream(merchantId),
      })
      const given = Buffer.from(hashOf(`ark_${owner}_${secret.toLowerCase()}`), 'hex')
      let found: string | null = null
      for (const [keyId, { hash, isRevoked }] of state.keys) {
        const isEqual = timingSafeEqual(given, Buffer.from(hash, 'hex'))
        if (isEqual && !isRevoked && !state.isErased) found = keyId
      }
      if (found === null) return null
      await pool.query(
        `INSERT INTO app.api_key_use AS k (key_id, used_at) VALUES ($1, $2)
         ON CONFLICT (key_id) DO UPDATE SET used_at = excluded.used_at
         WHERE k.used_at < excluded.used_at - interval '${useEvery}'`,
        [found, clock.now()],
      )
      return { merchantId, keyId: found }
    },
  }
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
