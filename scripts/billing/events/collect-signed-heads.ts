import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { z } from 'zod'
import { signedHead, type SignedHead } from '#services/event-store/audit/signed-head'
import { readSignedHeads } from '#services/event-store/audit/signed-head-table'
import { StartupError } from '#services/foundation/startup-error'

/**
 * The signed heads of the database and of `files`, without duplicates, in the order of revisions.
 * @throws StartupError for a file that cannot be read or has other contents.
 */
export async function collectSignedHeads(
  pool: pg.Pool,
  files: readonly string[],
): Promise<readonly SignedHead[]> {
  const lists = [await readSignedHeads(pool), ...(await Promise.all(files.map(readCopy)))]
  const bySignature = new Map(lists.flat().map((head) => [head.signature, head]))
  return [...bySignature.values()].toSorted((a, b) => a.revision - b.revision)
}

async function readCopy(file: string): Promise<readonly SignedHead[]> {
  const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new StartupError(
      `The signed heads in ${file} cannot be read (${error.code}). Name a file that 'events seal --out' wrote.`,
    )
  })
  try {
    return z.array(signedHead).parse(
      content
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as unknown),
    )
  } catch {
    throw new StartupError(
      `${file} does not contain signed heads. Name a file that 'events seal --out' wrote.`,
    )
  }
}
