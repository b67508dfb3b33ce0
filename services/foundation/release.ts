import { readFileSync } from 'node:fs'
import { z } from 'zod'

const packageFile = z.object({ version: z.string().min(1) })

/**
 * The version of this release, from package.json. Every event names the release that wrote it. The
 * path is the same in the sources and in `dist`.
 */
export const release: string = packageFile.parse(
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')),
).version
