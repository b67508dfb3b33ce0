import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { parseLine, readChecksummed, withChecksum } from '#services/foundation/checksummed-lines'
import { StartupError } from '#services/foundation/startup-error'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'

const line = z.object({ key: z.object({ subject: z.string() }) })

describe('a line of a backup or export', () => {
  it('is parsed by its schema', () => {
    expect(parseLine('a.ndjson', line, '{"key":{"subject":"usr_1"}}')).toEqual({
      key: { subject: 'usr_1' },
    })
  })

  it.each([
    [
      '{"key":{"subject":17}}',
      "a.ndjson has a line that this release cannot read: its field 'key.subject' is missing or wrong. Run the release that wrote the file.",
    ],
    [
      'no JSON',
      'a.ndjson has a line that this release cannot read. Run the release that wrote the file.',
    ],
  ])(
    'that breaks its schema is refused with its field and without its value: %s',
    (text, sentence) => {
      expect(() => parseLine('a.ndjson', line, text)).toThrow(new StartupError(sentence))
    },
  )
})

describe('a backup or export that cannot be read', () => {
  it.each([
    ['/etc/passwd/export', 'ENOTDIR'],
    [`/${'x'.repeat(300)}`, 'ENAMETOOLONG'],
    ['/', 'EISDIR'],
    ['/no-such-file', 'ENOENT'],
  ])('is refused with its path: %s (%s)', async (path, code) => {
    await expect(readChecksummed(path)[Symbol.asyncIterator]().next()).rejects.toThrow(
      new StartupError(
        `${path} cannot be read (${code}). Name a file that exists and that this user may read.`,
      ),
    )
  })
})

it('a file that is one long line is refused before it is read to its end', async () => {
  const directory = await temporaryDirectory()
  try {
    const file = join(directory.path, 'other.gz')
    await writeFile(file, gzipSync(Buffer.alloc(70 * 1024 * 1024), { level: 1 }))
    await expect(allOf(readChecksummed(file))).rejects.toThrow(
      new StartupError(
        `${file} has a line of more than 64 MiB, so it is damaged or no file of 'billing'. Name a file that 'billing' wrote.`,
      ),
    )
  } finally {
    await directory.remove()
  }
})

describe('a compressed backup or export', () => {
  it('is read in as few pages as one that is not compressed', async () => {
    const directory = await temporaryDirectory()
    try {
      const lines = Array.from({ length: 12_000 }, (_, index) => `${index} ${'x'.repeat(1_000)}`)
      let text = ''
      for await (const piece of withChecksum(Readable.from([lines]))) text += piece
      for (const [name, bytes] of [
        ['plain.ndjson', text],
        ['compressed.ndjson.gz', gzipSync(text, { level: 1 })],
      ] as const) {
        const file = join(directory.path, name)
        await writeFile(file, bytes)
        const pages = await allOf(readChecksummed(file))
        expect(pages.flat()).toEqual(lines)
        // 12 MB in pages of 4 MB: no page is a small part of the file.
        expect(pages.length).toBeLessThan(5)
      }
    } finally {
      await directory.remove()
    }
  })
})

async function allOf<T>(pages: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const page of pages) all.push(page)
  return all
}
