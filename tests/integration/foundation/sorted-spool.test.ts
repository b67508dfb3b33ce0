import { readdir } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createSortedSpool } from '#services/foundation/spool/sorted-spool'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'

const keepAll = () => null

describe('a sorted spool', () => {
  it('returns every key once in order, with its values as they were added, at any size of memory', async () => {
    const directory = await temporaryDirectory()
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.string({ unit: 'binary', maxLength: 2 }), fc.jsonValue()), {
            maxLength: 120,
          }),
          fc.integer({ min: 1, max: 20 }),
          async (added, capacity) => {
            const spool = createSortedSpool<unknown>({
              combine: keepAll,
              capacity,
              directory: directory.path,
            })
            const expected = new Map<string, unknown[]>()
            for (const [key, value] of added) {
              const stored: unknown = JSON.parse(JSON.stringify(value))
              spool.add(key, stored)
              expected.set(key, [...(expected.get(key) ?? []), stored])
              await spool.writeIfFull()
            }
            const sorted = [...expected].toSorted(([a], [b]) => (a < b ? -1 : 1))
            for (let time = 0; time < 2; time += 1) {
              const found: [string, unknown][] = []
              for await (const { key, values } of spool.sorted()) found.push([key, values])
              expect(found).toEqual(sorted)
            }
            await spool.remove()
          },
        ),
        { numRuns: 10 },
      )
      expect(await readdir(directory.path)).toEqual([])
    } finally {
      await directory.remove()
    }
  }, 60_000)

  it('joins neighboring values, also of different files', async () => {
    const spool = createSortedSpool<readonly [kind: string, count: number]>({
      combine: (earlier, later) =>
        earlier[0] === later[0] ? [earlier[0], earlier[1] + later[1]] : null,
      capacity: 2,
    })
    try {
      // More than 1,024 files: files are merged twice.
      for (let round = 0; round < 1_100; round += 1) {
        spool.add('same', ['a', 1])
        spool.add('other', [round % 2 === 0 ? 'a' : 'b', 1])
        await spool.writeIfFull()
      }
      const found = new Map<string, readonly unknown[]>()
      for await (const { key, values } of spool.sorted()) found.set(key, values)
      expect([...found.keys()]).toEqual(['other', 'same'])
      expect(found.get('same')).toEqual([['a', 1_100]])
      expect(found.get('other')).toHaveLength(1_100)
    } finally {
      await spool.remove()
    }
  }, 60_000)

  it('names the directory if it cannot write there', async () => {
    const spool = createSortedSpool<number>({
      combine: keepAll,
      capacity: 1,
      directory: '/dev/null/nowhere',
    })
    spool.add('a', 1)
    await expect(spool.writeIfFull()).rejects.toThrow(
      'Temporary files cannot be written in /dev/null/nowhere (ENOTDIR): set TMPDIR to a directory that this user can write.',
    )
  })
})
