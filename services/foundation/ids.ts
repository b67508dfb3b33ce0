import { randomBytes, randomUUID } from 'node:crypto'

/** Where new identities come from, handed in so that tests may seed them. */
export interface Ids {
  /** `usr_` and 24 hexadecimal digits; no hyphen, so that a stream's category ends at the first one. */
  userId(): string
  uuid(): string
}

export const randomIds: Ids = {
  userId: () => `usr_${randomBytes(12).toString('hex')}`,
  uuid: () => randomUUID(),
}
