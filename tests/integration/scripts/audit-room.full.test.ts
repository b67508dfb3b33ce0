import { readdir, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { sealKeysOf } from '#services/event-store/audit/audit-keys'
import { tamper } from '../../support/event-store/chained-log.ts'
import { createTestDatabase } from '../../support/postgres/database.ts'
import {
  auditPublicKey,
  createAuditedLog,
  type AuditedLog,
} from '../../support/product/audited-log-side.ts'
import { runBilling } from '../../support/product/run-billing.ts'
import { verifyAuditRoom } from '../../support/product/verify-audit-room.ts'

let log: AuditedLog
beforeAll(async () => {
  log = await createAuditedLog()
  const written = await log.run('--from', '2026-03', '--to', '2027-06', '--out', log.at('room.gz'))
  expect(written).toMatchObject({ code: 0 })
}, 120_000)
afterAll(() => log.remove())

describe('the verifier', () => {
  it('checks the sample of the seed', async () => {
    const args = [
      '--from',
      '2026-03',
      '--to',
      '2027-06',
      '--sample',
      '3',
      '--out',
      log.at('seed.ndjson'),
    ]
    expect(await log.run(...args, '--seed', 'dice: 4 2 6')).toMatchObject({ code: 0 })
    expect(await log.verify('seed.ndjson', '--seed', 'dice: 4 2 6')).toMatchObject({ code: 0 })
    const { code, stdout } = await log.verify('seed.ndjson')
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('The seed of the sample is "dice: 4 2 6", and must be "".'),
    })
  }, 60_000)

  it('refuses another public key, and reads the key of a file as the command prints it', async () => {
    const other = sealKeysOf(Buffer.alloc(32, 7)).publicKeyHex
    expect(await verifyAuditRoom(log.at('room.gz'), '--public-key', other)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        `is of the key ${auditPublicKey}, and --public-key is ${other}.`,
      ),
    })
    const printed = await runBilling(log.settings, 'events', 'public-key')
    await writeFile(log.at('key.txt'), printed.stdout)
    const base64 = Buffer.from(auditPublicKey, 'hex').toString('base64')
    for (const key of [log.at('key.txt'), base64])
      expect(await verifyAuditRoom(log.at('room.gz'), '--public-key', key)).toMatchObject({
        code: 0,
      })
  }, 60_000)
})

describe('billing audit-room', () => {
  const wrong: readonly (readonly [string, readonly string[], RegExp])[] = [
    [
      'a month after the newest seal',
      ['--from', '2026-03', '--to', '2027-07'],
      /^--to 2027-07 is after the newest seal, of .*\. Run 'billing events seal' first/,
    ],
    [
      'months in the wrong order',
      ['--from', '2026-05', '--to', '2026-03'],
      /^--from 2026-05 is after --to 2026-03\./,
    ],
    [
      'a file that exists',
      ['--from', '2026-03', '--to', '2026-04', '--out', 'ROOM'],
      /room\.gz already exists\./,
    ],
    [
      'standard output',
      ['--from', '2026-03', '--to', '2026-04', '--out', '-'],
      /^An audit room has personal data\. Name a file/,
    ],
    [
      'a missing option',
      ['--from', '2026-03'],
      /^error: required option '--to <month>' not specified/,
    ],
  ]
  it.each(wrong)(
    'refuses %s with exit code 2 and leaves no file',
    async (_what, args, problem) => {
      const before = await readdir(log.directory)
      const given = args.map((each) => (each === 'ROOM' ? log.at('room.gz') : each))
      const out = args.includes('--out') ? [] : ['--out', log.at('refused.gz')]
      const { code, stdout, stderr } = await log.run(...given, ...out)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(problem)
      expect(await readdir(log.directory)).toEqual(before)
    },
    60_000,
  )

  it('refuses a log without a seal', async () => {
    const empty = await createTestDatabase()
    try {
      const args = ['--from', '2026-03', '--to', '2026-04', '--out', log.at('empty.gz')]
      const without = { ...log.settings, DATABASE_URL: empty.connectionString }
      expect(await runBilling(without, 'audit-room', ...args)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(
          "The log has no seal, so nothing can be proved. Run 'billing events seal'.",
        ),
      })
    } finally {
      await empty.drop()
    }
  }, 60_000)

  it('refuses a log in which an event before the head of its stream was changed', async () => {
    const { rows } = await log.pool.query<{ stream: string; revision: number; data: object }>(
      `SELECT stream, revision, data FROM log.event e WHERE type = 'PaymentSucceeded' AND EXISTS
         (SELECT FROM log.event WHERE stream = e.stream AND revision = e.revision + 1)
       ORDER BY position LIMIT 1`,
    )
    const [{ stream, revision, data } = { stream: '', revision: -1, data: {} }] = rows
    const set = (to: unknown) =>
      tamper(log.pool, 'UPDATE log.event SET data = $1 WHERE stream = $2 AND revision = $3', [
        to,
        stream,
        revision,
      ])
    await set({ ...data, planName: 'Invented' })
    const args = ['--from', '2026-03', '--to', '2027-06', '--out', log.at('changed.gz')]
    expect(await log.run(...args)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        `PaymentSucceeded, revision ${revision} of '${stream}'\\) cannot be read: it has no MAC of this AUDIT_KEY`,
      ),
    })
    expect(await readdir(log.directory)).not.toContain('changed.gz')
    await set(data)
  }, 60_000)

  it('refuses a sample with a customer who was erased after the seal', async () => {
    const { users, erased } = log
    await log.erase(users.filter((userId) => !erased.includes(userId)))
    const { code, stderr } = await log.run(
      '--from',
      '2026-03',
      '--to',
      '2026-04',
      '--out',
      log.at('late.gz'),
    )
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /The sampled customer usr_\w+ was erased after the newest seal\. Run 'billing events seal' first\./,
    )
    expect(await readdir(log.directory)).not.toContain('late.gz')
  }, 60_000)
})
