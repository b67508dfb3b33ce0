import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { eventCatalogue, type DomainEvent, type StreamCategory } from '#contracts/events/catalogue'
import { eventIdOfFact } from '#services/commands/event-ids'
import { chain, hasGenuineMac } from '#services/event-store/audit/hash-chain'
import { createCodec } from '#services/event-store/encryption/codec'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import type { StoredEvent } from '#services/event-store/event-store'
import { categoryOfType } from '../support/data/category-of-type.ts'
import { samplePayloads } from '../support/data/sample-payloads.ts'
import { someEvent } from '../support/data/some-event.ts'
import { macKey } from '../support/event-store/mac-key.ts'
import { fixedKeys } from '../support/event-store/fixed-keys.ts'

/** An event as a release stored it, and the data that every later release must decode from it. */
interface Golden {
  readonly stored: StoredEvent
  readonly decoded: unknown
}

const directory = new URL('golden/', import.meta.url)
const codec = createCodec(
  fixedKeys({
    usr_golden: Buffer.alloc(32, 'golden'),
    adm_1: Buffer.alloc(32, 'administrator'),
    'usr_golden/client_golden': Buffer.alloc(32, 'client'),
    [`${samplePayloads.EnquirySubmitted.addressHmac}/enquiry_golden`]: Buffer.alloc(32, 'enquiry'),
  }),
)
const withoutKeys = createCodec(fixedKeys({}))

/** The id of the golden events' stream in each category. */
const goldenIds: Readonly<Record<StreamCategory, string>> = {
  account: 'usr_golden',
  adminAccess: '2026-03',
  administrators: 'all',
  billing: 'usr_golden',
  client: 'client_golden',
  clientReminder: 'client_golden',
  close: '2026-03',
  contactStop: 'a'.repeat(64),
  control: 'usr_golden',
  dunning: 'usr_golden',
  email: 'golden',
  enquiry: 'enquiry_golden',
  exportApproval: 'adm_1',
  import: 'import_2b0f5d0e-4f0c-5d3e-9a55-7f1c0d0f0c22',
  merchant: 'usr_golden',
  notification: 'usr_golden',
  receivable: 'receivable_6c1f9a2e-8a52-5f0e-9d55-3c1d0f0c7a11',
  refundApproval: 'usr_golden',
  reminder: 'usr_golden',
  signIn: 'usr_golden',
}

const versions = Object.entries(eventCatalogue).flatMap(([type, { version }]) =>
  Array.from({ length: version }, (_, index) => ({
    type: type as DomainEvent['type'],
    version: index + 1,
    isCurrent: index + 1 === version,
  })),
)

// For a new event or a new version of an event: run with WRITE_GOLDEN=1, read the file and commit
// it. Do not change `stored` afterwards, because the logs of customers hold it.
if (process.env.WRITE_GOLDEN === '1') {
  for (const { type, version, isCurrent } of versions) {
    const file = fileOf(type, version)
    if (isCurrent && !existsSync(file))
      writeFileSync(file, `${JSON.stringify(await goldenOf(type), null, 2)}\n`)
  }
}

describe('stored events of every version', () => {
  it.each(readdirSync(directory))('%s has the MAC of its content', (name) => {
    expect(hasGenuineMac(read(name).stored, macKey)).toBe(true)
  })

  it.each(versions)('$type v$version has a golden file', ({ type, version }) => {
    expect(readdirSync(directory)).toContain(`${type}.v${version}.json`)
  })

  it.each(readdirSync(directory))('%s decodes to its recorded data', async (name) => {
    const { stored, decoded } = read(name)
    expect((await codec.decode([stored]))[0]).toMatchObject({
      id: stored.id,
      type: stored.type,
      revision: stored.revision,
      data: decoded,
    })
  })

  it.each(readdirSync(directory))(
    '%s decodes without personal data after the key of its person was erased',
    async (name) => {
      const { stored, decoded } = read(name)
      const [event] = await withoutKeys.decode([stored])
      const text = JSON.stringify(event?.data)
      expect(text).not.toMatch(/Dana|Birchwood|birchwooddental|Orchard|Duluth|Ada Lind|Ada Berg/i)
      expect(text.includes(erasedValue)).toBe(JSON.stringify(stored.data).includes('$personal'))
      expect(Object.keys(event?.data ?? {}).sort()).toEqual(Object.keys(decoded as object).sort())
    },
  )
})

async function goldenOf(type: DomainEvent['type']): Promise<Golden> {
  const stream = streamOf(type)
  const id = eventIdOfFact(stream, type, 'golden')
  const { data, schemaVersion } = await codec.encode(stream, {
    id,
    type,
    data: samplePayloads[type],
  })
  const metadata = { ...someEvent().metadata, schemaVersion }
  const [event] = chain(stream, undefined, [{ id, type, data, metadata }], macKey)
  if (event === undefined) throw new Error('an event was not chained')
  return {
    stored: { id, type, stream, revision: 0, position: '1', data, metadata: event.metadata },
    decoded: samplePayloads[type],
  }
}

function streamOf(type: DomainEvent['type']): string {
  const category = categoryOfType(type)
  return `${category}-${goldenIds[category]}`
}

function fileOf(type: string, version: number): URL {
  return new URL(`${type}.v${version}.json`, directory)
}

function read(name: string): Golden {
  return JSON.parse(readFileSync(new URL(name, directory), 'utf8')) as Golden
}
