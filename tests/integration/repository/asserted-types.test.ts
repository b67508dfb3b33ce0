import { describe, expect, it } from '@jest/globals'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

async function sources(folders: readonly string[]): Promise<readonly string[]> {
  const entries = await Promise.all(
    folders.map((folder) => readdir(folder, { recursive: true, withFileTypes: true })),
  )
  return entries
    .flat()
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** The files with a line that matches, such as `services/mail/mailer.ts:12`. */
async function linesWith(pattern: RegExp, folders: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    (await sources(folders)).map(async (file) =>
      (await readFile(file, 'utf8'))
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}`] : [])),
    ),
  )
  return found.flat()
}

const mayCast = [
  // Feeds the client library's Subscription with fake gRPC messages, whose generated classes are not exported.
  'tests/domain/event-store/eventstoredb-client-subscription.test.ts:',
  // This file names the casts.
  'tests/integration/repository/asserted-types.test.ts:',
]

describe('the product asserts no type that it could check', () => {
  it('reads rows through services/foundation/rows.ts, not by query<Row>', async () => {
    expect(await linesWith(/\bquery<|new Cursor</, ['services', 'projections', 'scripts'])).toEqual(
      [],
    )
  })

  it('uses neither `as never` nor `as unknown as`', async () => {
    const found = await linesWith(/\bas never\b|\bas unknown as\b/, [
      'contracts',
      'projections',
      'scripts',
      'services',
      'tests',
      'web',
    ])
    expect(found.filter((place) => !mayCast.some((file) => place.startsWith(file)))).toEqual([])
  })
})
