import { z } from 'zod'
import type { StoredSeal } from '#services/event-store/audit/check-seals'
import { seal } from '#services/event-store/audit/seal'
import { sealedHead, type SealedHead } from '#services/event-store/audit/seal-table'
import { parseLine, readChecksummed } from '#services/foundation/checksummed-lines'
import { isRowOf } from './backup-format.ts'

const sealTable = 'app.seal'
const headTable = 'app.sealed_head'
const sealLine = z.object({ row: z.object({ sequence: z.int(), seal: z.unknown() }) })
const headLine = z.object({ row: sealedHead })

/** The seals of a backup, in the order of their sequence numbers. Reads the whole file. */
export async function sealsIn(file: string): Promise<readonly StoredSeal[]> {
  const seals: StoredSeal[] = []
  for await (const lines of readChecksummed(file))
    for (const line of lines.filter(isRowOf(sealTable))) {
      const { row } = parseLine(file, sealLine, line)
      seals.push({ sequence: row.sequence, seal: seal.safeParse(row.seal).data ?? null })
    }
  return seals.toSorted((a, b) => a.sequence - b.sequence)
}

/** The heads that the seals of a backup found changed. Reads the whole file. */
export async function* sealedHeadsIn(file: string): AsyncGenerator<readonly SealedHead[]> {
  for await (const lines of readChecksummed(file))
    yield lines.filter(isRowOf(headTable)).map((line) => parseLine(file, headLine, line).row)
}
