import pino from 'pino'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { systemClock } from '#services/foundation/clock'
import { createMailTurns, createMailer } from '#services/mail/mailer'
import { linksAt } from '#services/notifications/links'
import { createPdfFiles } from '#services/start/pdf-files'
import { mailReactor } from '#services/notifications/mail-reactor'
import { startReactors } from '#services/reactors/run-reactor'
import pg from 'pg'
import { macKey } from '../event-store/mac-key.ts'
import { testReturnTokens } from '../mail/return-tokens.ts'
import { mailSideKey } from './mail-side-key.ts'

/** A program that a test starts and kills: the reactor of the mails over a database of a test. */
const [connectionString = '', smtpUrl = ''] = process.argv.slice(2)

const pool = new pg.Pool({ connectionString })
const store = createPostgresEventStore({ connectionString })
const keys = createPersonalKeys(pool, mailSideKey)
const codec = createCodec(keys)
const clock = systemClock
const mailer = createMailer(smtpUrl, 'billing@example.com', {
  turns: createMailTurns(1_000),
})
const reactor = mailReactor({
  commands: createCommandHandler({ store, codec, clock, macKey }),
  store,
  codec,
  pool,
  keys,
  clock,
  links: linksAt('http://localhost:3000'),
  receiptOf: async () => null,
  files: createPdfFiles().receipts,
  mailer,
  tokens: testReturnTokens,
})
startReactors([reactor], {
  pool,
  store,
  codec,
  clock,
  log: pino({ level: 'silent' }),
  pollMs: 50,
})
