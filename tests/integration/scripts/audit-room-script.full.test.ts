import { createDecipheriv } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Seal } from '#services/event-store/audit/seal'
import type { EntryKind } from '#services/finance/ledger/entry'
import { privateTextOf } from '../../support/data/audited-log.ts'
import { createRoomVerifier } from '../../support/audit-room/verifier-in-process.ts'
import { entryOf, eventOf, tamperings } from '../../support/data/room-tamperings.ts'
import {
  auditPublicKey,
  createAuditedLog,
  type AuditedLog,
} from '../../support/product/audited-log-side.ts'
import { verifyAuditRoom } from '../../support/product/verify-audit-room.ts'

let log: AuditedLog
/** The lines of the room that the command wrote. */
let room: readonly (readonly unknown[])[]

beforeAll(async () => {
  log = await createAuditedLog()
  const written = await log.run('--from', '2026-03', '--to', '2027-06', '--out', log.at('room.gz'))
  expect(written).toMatchObject({ code: 0 })
  expect(written.stdout).toContain('The log has 1 later event, which is no part of the room.')
  const text = gunzipSync(await readFile(log.at('room.gz'))).toString()
  room = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown[])
}, 120_000)
afterAll(() => log.remove())

/** The compiler names a kind that is missing here. */
const everyKind: Readonly<Record<EntryKind, true>> = {
  sale: true,
  'credit-invoice': true,
  settlement: true,
  recognition: true,
  'unpaid-invoice': true,
  refund: true,
  'refund-reversal': true,
  'credit-note': true,
  'credit-note-void': true,
  dispute: true,
  'dispute-won': true,
  'dispute-lost': true,
  'dispute-fee': true,
  'platform-fee': true,
  'platform-fee-return': true,
}

const ofKind = (kind: string) => room.filter((line) => line[0] === kind)

describe('an audit room', () => {
  it('is verified by the script alone, with entries of every kind', async () => {
    const { code, stdout, stderr } = await log.verify('room.gz')
    expect({ code, stderr, stdout }).toMatchObject({ code: 0, stderr: '' })
    expect(stdout).toContain(
      'Problems: 0. Books of 2026-03 to 2027-06-15 in the zone Europe/Berlin.',
    )
    expect(stdout).toContain('Sample: 25 of 90 customers. The newest seal is {"format":')
    const kinds = new Set(ofKind('entry').map((line) => entryOf(line).kind))
    expect([...kinds].toSorted()).toEqual(Object.keys(everyKind).toSorted())
    expect(ofKind('seal')).toHaveLength(2)
    expect(ofKind('customer')).toHaveLength(25)
  }, 60_000)

  it('is a file that only its owner reads, and its customers are recorded in the log', async () => {
    expect((await stat(log.at('room.gz'))).mode & 0o777).toBe(0o600)
    const { rows } = await log.pool.query<{ data: unknown; metadata: { actor: unknown } }>(
      "SELECT data, metadata FROM log.event WHERE type = 'AuditRoomWritten'",
    )
    const customers = ofKind('customer').map(([, userId]) => userId)
    expect(rows.map(({ data }) => data)).toContainEqual({
      from: '2026-03',
      to: '2027-06',
      seal: 2,
      customers,
    })
    expect(rows[0]?.metadata.actor).toEqual({ kind: 'system', id: 'operator' })
  })

  it('has the text of the sampled customers, and neither text nor key of any other', () => {
    const sampled = new Set(ofKind('customer').map(([, userId]) => String(userId)))
    const text = JSON.stringify(room)
    const { users, erased } = log
    const isReadable = (userId: string) => sampled.has(userId) && !erased.includes(userId)
    expect(users.length).toBeGreaterThan(40)
    expect(users.filter((userId) => text.includes(privateTextOf(userId)))).toEqual(
      users.filter(isReadable),
    )
    const keys = ofKind('customer').flatMap(([, , key]) =>
      typeof key === 'string' ? [Buffer.from(key, 'base64')] : [],
    )
    expect(keys).toHaveLength([...sampled].filter(isReadable).length)
    expect(keys.length).toBeLessThan(25)
    const secrets = ofKind('event')
      .map(eventOf)
      .filter(({ stream }) => !sampled.has(stream.slice(stream.indexOf('-') + 1)))
      .flatMap(({ id, data }) =>
        Object.entries(data).map(([field, value]) => ({ id, field, value })),
      )
      .flatMap(({ id, field, value }) => {
        const secret = (value as { readonly $personal?: string } | null)?.$personal
        return secret === undefined ? [] : [{ place: `${id} ${field}`, secret }]
      })
    expect(secrets.length).toBeGreaterThan(10)
    const opened = secrets.filter(({ place, secret }) =>
      keys.some((key) => opens(key, place, secret)),
    )
    expect(opened).toEqual([])
  })
})

function opens(key: Buffer, place: string, secret: string): boolean {
  const bytes = Buffer.from(secret.slice('v1:'.length), 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-16))
  decipher.update(bytes.subarray(12, -16))
  try {
    decipher.final()
    return true
  } catch {
    return false
  }
}

/** The auditor's script, without a process for each room. */
async function verifyRoom(lines: typeof room) {
  const verify = await createRoomVerifier(auditPublicKey)
  return verify(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

describe('the verifier names', () => {
  it.each(tamperings)('%s', async (_name, tampering) => {
    const lines = [...room]
    const sentence = tampering(lines)
    // A forger also corrects the count of lines in the last line.
    lines[lines.length - 1] = ['end', lines.length]
    const { code, output } = await verifyRoom(lines)
    expect(code).toBe(1)
    if (typeof sentence === 'string') expect(output).toContain(sentence)
    else expect(output).toMatch(sentence)
  })
})

it('the verifier says what it did not check', async () => {
  const { stdout } = await log.verify('room.gz')
  expect(stdout).toContain(
    'Not checked: whether the seals are those that were published (--manifest); whether the events are true;',
  )
  expect(stdout).toContain('of which the room says that there are 1;')
})

describe('the verifier compares the room with the published seals', () => {
  const seals = () => ofKind('seal').map(([, seal]) => seal as Seal)
  const verifyWith = async (name: string, manifest: readonly unknown[]) => {
    await writeFile(log.at(name), manifest.map((seal) => `${JSON.stringify(seal)}\n`).join(''))
    return log.verify('room.gz', '--manifest', log.at(name))
  }

  it('accepts the same seals, and fewer of them', async () => {
    for (const manifest of [seals(), seals().slice(0, 1)]) {
      const { code, stdout } = await verifyWith('seals.ndjson', manifest)
      expect(code).toBe(0)
      expect(stdout).toContain('Not checked: whether the events are true;')
    }
  })

  it('names a seal that was signed again, and a seal that the room lacks', async () => {
    const [first, second] = seals()
    const other = { ...second, sealedAt: '2027-06-15T09:00:00.000Z' }
    expect(await verifyWith('other.ndjson', [first, other])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Seal 2 of the manifest is {"changed":'),
    })
    expect(await verifyWith('later.ndjson', [{ ...second, sequence: 3 }])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Seal 3 of the manifest is missing, and must be {"changed":'),
    })
  })
})

it('the verifier names a line with a member twice, of which a reader sees the other one', async () => {
  const texts = room.map((line) => `${JSON.stringify(line)}\n`)
  const index = room.findIndex(([kind]) => kind === 'entry')
  const text = texts[index]?.replace('{', '{"date":"1999-01-01",') ?? ''
  await writeFile(log.at('twice.ndjson'), texts.with(index, text).join(''))
  const { code, stdout } = await log.verify('twice.ndjson')
  expect(code).toBe(1)
  expect(stdout).toContain(`Line ${index + 1}: The line has other spaces or a member twice`)
})

it('the verifier shows no control character of the header', async () => {
  const [header = [], ...others] = room
  const forged = ['room', { ...(header[1] as object), from: '2026-03\u001b[2J' }]
  const text = [forged, ...others].map((line) => `${JSON.stringify(line)}\n`).join('')
  await writeFile(log.at('control.ndjson'), text)
  const { stdout } = await log.verify('control.ndjson')
  expect(stdout).toContain('Books of 2026-03?[2J to 2027-06-15 in the zone Europe/Berlin.')
  expect(stdout).not.toContain('\u001b')
})

describe('the verifier refuses with exit code 2', () => {
  it('a file that was cut off, with and without compression', async () => {
    const bytes = await readFile(log.at('room.gz'))
    await writeFile(log.at('cut.gz'), bytes.subarray(0, bytes.length - 2_000))
    await writeFile(log.at('cut.ndjson'), gunzipSync(bytes).subarray(0, -3))
    await writeFile(log.at('short.ndjson'), `${JSON.stringify(room[0])}\n`)
    expect(await log.verify('cut.gz')).toMatchObject({ code: 2 })
    for (const file of ['cut.ndjson', 'short.ndjson'])
      expect(await log.verify(file)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^The file was cut off after line \d+\.\n$/),
      })
  })

  it('a file with a line that does not end', async () => {
    const header = `${JSON.stringify(room[0])}\n`
    await writeFile(log.at('huge.gz'), gzipSync(header + 'a'.repeat(2 ** 24 + 2 ** 20)))
    expect(await log.verify('huge.gz')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Line 2 has more than 16777216 characters\.\n$/),
    })
  })

  it('a room without seals and a room with an unknown time zone', async () => {
    const write = (name: string, lines: typeof room) =>
      writeFile(log.at(name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    await write(
      'unsealed.ndjson',
      room.filter(([kind]) => kind !== 'seal'),
    )
    await write('zone.ndjson', [
      ['room', { ...(room[0]?.[1] as object), timeZone: 'No/Zone' }],
      ...room.slice(1),
    ])
    expect(await log.verify('unsealed.ndjson')).toMatchObject({
      code: 2,
      stderr: 'The room has no seal.\n',
    })
    expect(await log.verify('zone.ndjson')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Invalid time zone specified: No/Zone'),
    })
  })

  it.each([
    ['no argument', [], 'Usage: node verify-audit-room.mjs'],
    ['no key', ['room.gz'], 'Usage: node verify-audit-room.mjs'],
    ['two files', ['a', 'b', '--public-key', 'c'], 'Usage: node verify-audit-room.mjs'],
    ['an option without a value', ['room.gz', '--public-key'], 'argument missing'],
    ['an unknown option', ['room.gz', '--key', 'x'], "Unknown option '--key'"],
    ['a key that is none', ['room.gz', '--public-key', 'key.txt'], '--public-key key.txt is no'],
  ] as const)('%s, in one line', async (_name, args, sentence) => {
    const { code, stdout, stderr } = await verifyAuditRoom(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(sentence)
    expect(stderr.trimEnd()).not.toContain('\n')
  })

  it('a file that is no room, and no file', async () => {
    await writeFile(log.at('other.json'), '{"a": 1}\n')
    expect(await log.verify('other.json')).toMatchObject({ code: 2 })
    expect(await log.verify('nowhere.ndjson')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('ENOENT'),
    })
  })
})
