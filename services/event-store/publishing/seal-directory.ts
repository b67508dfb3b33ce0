import { open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, errorCodeOrText } from '#services/foundation/error-code'
import { StartupError } from '#services/foundation/startup-error'
import type { StoredSeal } from '../audit/check-seals.ts'
import { lineOf, parseSeal } from '../audit/manifest.ts'
import type { Seal } from '../audit/seal.ts'
import type { SealPlace } from './seal-place.ts'

const fileName = /^seal-(\d{8,15})\.json$/

/**
 * A directory with one file per seal, `seal-00000031.json`: one line of JSON. A file is only added,
 * so the directory may be on a medium that can only be appended to. The directory must exist: the
 * mount point of a missing disk must not become the place.
 */
export function createSealDirectory(directory: string): SealPlace {
  const name = `the directory ${directory}`
  return {
    name,

    async publish(seal) {
      const file = join(directory, `seal-${String(seal.sequence).padStart(8, '0')}.json`)
      try {
        await add(file, seal)
      } catch (error) {
        if (error instanceof StartupError) throw error
        throw new StartupError(
          `${file} cannot be written (${errorCodeOrText(error)}): ${remedyOf(error)}`,
        )
      }
    },

    async read() {
      try {
        const seals: StoredSeal[] = []
        for (const each of (await readdir(directory)).sort()) {
          const number = fileName.exec(each)?.[1]
          if (number === undefined) continue
          const text = await readFile(join(directory, each), 'utf8')
          // The write was interrupted, or is in progress: the seal is not published yet.
          if (!text.endsWith('\n')) continue
          seals.push({ sequence: Number(number), seal: parseSeal(text) })
        }
        return seals
      } catch (error) {
        throw new StartupError(
          `The published seals in ${directory} cannot be read (${errorCodeOrText(error)}): ${remedyOf(error)}`,
        )
      }
    },
  }
}

/** Adds a file, or completes one whose write was interrupted. Waits until it is on the disk. */
async function add(file: string, seal: Seal): Promise<void> {
  const line = lineOf(seal)
  const existing = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  })
  if (existing === line) return
  if (existing !== null && !line.startsWith(existing))
    throw new StartupError(
      `${file} has another seal of this number: the database was restored from before this seal, or the seals are of two products. Run 'billing events verify'. After a restore of an older backup, set SEAL_DIRECTORY to a new directory and keep the old one.`,
    )
  const out = await open(file, existing === null ? 'ax' : 'a', 0o644)
  try {
    await out.appendFile(line.slice(existing?.length ?? 0))
    await out.sync()
  } finally {
    await out.close()
  }
}

function remedyOf(error: unknown): string {
  switch (errorCode(error)) {
    case 'ENOENT':
      return 'the directory does not exist. Create or mount it, or correct SEAL_DIRECTORY.'
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full. Free some space.'
    default:
      return 'let the account of this command read the directory and add files to it, or correct SEAL_DIRECTORY.'
  }
}
