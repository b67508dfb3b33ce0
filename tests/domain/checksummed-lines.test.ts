import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { parseLine, readChecksummed } from '#services/foundation/checksummed-lines'
import { StartupError } from '#services/foundation/startup-error'

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
