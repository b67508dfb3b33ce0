import { createSecretKey } from 'node:crypto'
import { createReturnTokens } from '#services/mail/return-addresses'

/** Tokens under a key that is the same in every run. */
export const testReturnTokens = createReturnTokens(createSecretKey(Buffer.alloc(32, 7)))
