import { readdir } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { createSortedSpool } from '#services/foundation/spool/sorted-spool'
import { mountSmallDisk, whyNoSmallDisk } from '../../support/machine/small-disk.ts'

describe('a sorted spool', () => {
  const whyNoDisk = whyNoSmallDisk()
  const onSmallDisk = whyNoDisk === null ? it : it.skip
  onSmallDisk(
    `reports a full disk in one sentence${whyNoDisk === null ? '' : ` (${whyNoDisk})`}`,
    async () => {
      const disk = mountSmallDisk(1)
      const spool = createSortedSpool<string>({
        combine: () => null,
        capacity: 1,
        directory: disk.path,
      })
      try {
        const fill = async () => {
          for (let round = 0; round < 10; round += 1) {
            spool.add(String(round), 'x'.repeat(200_000))
            await spool.writeIfFull()
          }
        }
        await expect(fill()).rejects.toThrow(
          `The disk that holds the temporary files in ${disk.path} is full: free some space, or set TMPDIR to a directory on another disk.`,
        )
        await spool.remove()
        expect(await readdir(disk.path)).toEqual([])
      } finally {
        disk.remove()
      }
    },
  )
})
