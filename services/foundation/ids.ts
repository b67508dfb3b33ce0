import { randomBytes, randomUUID } from 'node:crypto'
import { parseUserId, type UserId } from '#contracts/ids'

/** The source of new ids. It is injected, so that tests can seed it. */
export interface Ids {
  /** `usr_` and 24 hexadecimal digits. */
  userId(): UserId
  uuid(): string
}

export const randomIds: Ids = {
  userId: () => parseUserId(`usr_${randomBytes(12).toString('hex')}`),
  uuid: () => randomUUID(),
}
