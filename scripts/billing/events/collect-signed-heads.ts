import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { z } from 'zod'
import { sealedHead, type SealedHead } from '#services/event-store/audit/signed-head'
import { readSealedHeads } from '#services/event-store/audit/signed-head-table'
import { StartupError } from '#services/foundation/startup-error'

/**
 * The seals of the database, and of copies of them that were kept elsewhere, in the order of revisions.
 * @throws StartupError for a file that cannot be read or holds something else.
 */
export async function readSeals(pool: pg.Pool, files: readonly string[]): Promise<readonly SealedHead[]> {
  const lists = [await readSealedHeads(pool), ...(await Promise.all(files.map(readCopy)))]
  const seals = new Map(lists.flat().map((head) => [head.signature, head]))
  return [...seals.values()].toSorted((a, b) => a.revision - b.revision)
}

async function readCopy(file: string): Promise<readonly SealedHead[]> {
  const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new StartupError(`The seals in ${file} cannot be read (${error.code}). Name a file that 'events seal --out' wrote.`)
  })
  try {
    return z.array(sealedHead).parse(content.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as unknown))
  } catch {
    throw new StartupError(`${file} does not hold seals. Name a file that 'events seal --out' wrote.`)
  }
}
