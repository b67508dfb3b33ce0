import { z } from 'zod'
import { filled } from '../form-text.ts'
import { instant } from '../instant.ts'
import { nameContracts } from '../name-contracts.ts'
import { receivablesAccess } from './shared.ts'

const apiKey = z.object({
  keyId: z.string(),
  name: z.string(),
  /** The last four characters of the key. The key itself is shown once. */
  ending: z.string(),
  madeAt: instant,
  /** Null: never used. A minute old at most. */
  lastUsedAt: instant.nullable(),
  /** Null: it is in use. */
  revokedAt: instant.nullable(),
})

/** `GET /api/receivables/keys`: the newest first. */
export const apiKeysResponse = z.object({
  access: receivablesAccess,
  items: z.array(apiKey),
})

/** `POST /api/receivables/keys`: a key with which a program adds invoices. */
export const makeApiKeyRequest = z.object({ name: filled('Name', 60) })
export const makeApiKeyResponse = z.object({
  keyId: z.string(),
  /** Begins with `ark_`. Shown this once: the product stores only its hash. */
  key: z.string(),
})

/** `POST /api/receivables/keys/:keyId/revoke`: from then on the key is refused. */
export const apiKeyParams = z.object({
  keyId: z
    .string()
    .regex(/^key_[\w-]+$/)
    .max(64),
})
export const revokeApiKeyResponse = z.object({ keyId: z.string() })

export type ApiKeysResponse = z.infer<typeof apiKeysResponse>

nameContracts({
  ReceivablesApiKeys: apiKeysResponse,
  MakeApiKeyRequest: makeApiKeyRequest,
  MakeApiKeyResponse: makeApiKeyResponse,
  RevokeApiKeyResponse: revokeApiKeyResponse,
})
