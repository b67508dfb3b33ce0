import { expect, it } from '@jest/globals'
import { parseUserId } from '#contracts/ids'
import { systemClock } from '#services/foundation/clock'
import { release } from '#services/foundation/release'
import { notificationLog } from '#services/notifications/notification-log'
import { someEvent } from '../../support/data/some-event.ts'

it.each([
  ['of a newer release', '99.1.0', 'NewerEvent'],
  ['of a damaged type', release, 'UnreadableEvent'],
])('a message is not repeated after an outcome %s', async (_what, writtenBy, name) => {
  const event = someEvent({ type: 'MailSnt' })
  const stream = 'notification-usr_1'
  const stored = {
    ...event,
    stream,
    revision: 0,
    metadata: { ...event.metadata, release: writtenBy },
  }
  const log = notificationLog(parseUserId('usr_1'), {
    commands: { record: async () => Promise.reject(new Error('nothing is recorded')) },
    store: { readStream: async () => [stored] },
    clock: systemClock,
    cause: { id: 'cause', metadata: { correlationId: 'correlation' } },
    reactor: 'mails',
  })
  await expect(log.finishedMails()).rejects.toMatchObject({ name })
})
