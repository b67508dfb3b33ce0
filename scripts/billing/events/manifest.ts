import { open, readFile } from 'node:fs/promises'
import { lineOf, parseManifest } from '#services/event-store/audit/manifest'
import { hashOfSeal, type Seal } from '#services/event-store/audit/seal'
import { errorCode, errorCodeOrText } from '#services/foundation/error-code'
import { StartupError } from '#services/foundation/startup-error'

/**
 * The seals of a manifest, one line of JSON each. Null if the file does not exist.
 * @throws StartupError for a file that cannot be read or has other contents
 */
export async function readManifest(file: string): Promise<readonly Seal[] | null> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw new StartupError(
      `The manifest ${file} cannot be read (${errorCodeOrText(error)}). Name another file.`,
    )
  }
  return parseManifest(text, `the manifest ${file}`)
}

/**
 * Refuses a manifest that the seals of the database do not continue.
 * @throws StartupError
 */
export function refuseOtherManifest(
  file: string,
  published: readonly Seal[],
  seals: readonly Seal[],
): void {
  const different = published.findIndex((one, index) => {
    const stored = seals[index]
    return stored === undefined || hashOfSeal(stored) !== hashOfSeal(one)
  })
  if (different === -1) return
  const reason =
    different >= seals.length
      ? `the database has no seal ${different + 1}`
      : `line ${different + 1} is not seal ${different + 1} of the database`
  throw new StartupError(
    `The seals of the database do not continue the manifest ${file}: ${reason}. Nothing was written. Name another file, or find out why: 'billing events verify --manifest ${file}'.`,
  )
}

/**
 * Appends seals to a manifest, each as one line, and waits until they are on the disk. An earlier
 * line is never changed, so the file may be on a medium that can only be appended to.
 * @throws StartupError
 */
export async function appendToManifest(file: string, seals: readonly Seal[]): Promise<void> {
  try {
    const out = await open(file, 'a', 0o644)
    try {
      await out.appendFile(seals.map(lineOf).join(''))
      await out.sync()
    } finally {
      await out.close()
    }
  } catch (error) {
    throw new StartupError(
      `The manifest ${file} cannot be written (${errorCodeOrText(error)}). The seal is in the database: the next 'events seal --manifest' also writes it.`,
    )
  }
}
