import { StartupError } from '#services/foundation/startup-error'
import { seal, type Seal } from './seal.ts'

/**
 * The seals of a manifest: one line of JSON each, in the order of their sequence numbers. `name` is
 * the place of the text, for messages.
 * @throws StartupError for an incomplete line, or for one that is no seal
 */
export function parseManifest(text: string, name: string): readonly Seal[] {
  if (text !== '' && !text.endsWith('\n'))
    throw new StartupError(
      `The last line of ${name} is incomplete. Remove that line and run the command again.`,
    )
  const seals: Seal[] = []
  for (const line of text.split('\n').slice(0, -1)) {
    const parsed = parseSeal(line)
    if (parsed === null)
      throw new StartupError(
        `Line ${seals.length + 1} of ${name} is no seal. Name a manifest that 'events seal' wrote.`,
      )
    seals.push(parsed)
  }
  return seals
}

/** A seal as one line of a manifest, with the end of the line. */
export function lineOf(one: Seal): string {
  return `${JSON.stringify(one)}\n`
}

/** Null for a text that is no seal. */
export function parseSeal(line: string): Seal | null {
  try {
    return seal.safeParse(JSON.parse(line)).data ?? null
  } catch {
    return null
  }
}
