import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import { chunkModulesFile } from './chunk-modules-plugin.ts'

const manifestSchema = z.record(
  z.string(),
  z.object({ file: z.string(), imports: z.array(z.string()).default([]) }),
)
const modulesSchema = z.record(z.string(), z.array(z.string()))

/** The built web, as `npm run check:bundle` measures it. */
export interface Build {
  /** The chunks that these sources need before they run: their own and their static imports. */
  chunksOf(sources: readonly string[]): string[]
  /** The modules in a chunk, as paths from the root of the repository. */
  modulesIn(chunk: string): readonly string[]
  /** Bytes. */
  sizeOf(file: string): number
  gzippedSizeOf(file: string): number
  /** The text of an HTML file. */
  html(file: string): string
}

/** @throws Error if the web is not built, or if the build has no such source */
export function readBuild(webRoot: string): Build {
  const path = join(webRoot, chunkModulesFile)
  if (!existsSync(path)) throw new Error(`${path} is missing. Run npm run build first.`)
  const read = (file: string) => readFileSync(join(webRoot, file))
  const parse = (file: string): unknown => JSON.parse(read(file).toString('utf8'))
  const manifest = manifestSchema.parse(parse('.vite/manifest.json'))
  const modules = modulesSchema.parse(parse(chunkModulesFile))

  return {
    chunksOf(sources) {
      const found = new Set<string>()
      const visit = (source: string) => {
        const entry = manifest[source]
        if (!entry) throw new Error(`The build has no chunk of web/${source}.`)
        if (found.has(entry.file)) return
        found.add(entry.file)
        entry.imports.forEach(visit)
      }
      sources.forEach(visit)
      return [...found]
    },
    modulesIn: (chunk) => modules[chunk] ?? [],
    sizeOf: (file) => read(file).length,
    gzippedSizeOf: (file) => gzipSync(read(file)).length,
    html: (file) => read(file).toString('utf8'),
  }
}
