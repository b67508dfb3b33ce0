import { relative } from 'node:path'
import type { Plugin } from 'vite'

/** The file beside vite's manifest that names the modules of each chunk. */
export const chunkModulesFile = '.vite/modules.json'

/** Writes which modules each chunk contains, for `npm run check:bundle`. */
export function chunkModules(): Plugin {
  return {
    name: 'chunk-modules',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).flatMap((output) =>
        output.type === 'chunk' ? [[output.fileName, modulesOf(output.moduleIds)]] : [],
      )
      this.emitFile({
        type: 'asset',
        fileName: chunkModulesFile,
        source: JSON.stringify(Object.fromEntries(chunks)),
      })
    },
  }
}

/** Paths from the root of the repository. The bundler's own modules have no path. */
const modulesOf = (ids: readonly string[]): string[] =>
  ids.filter((id) => !id.startsWith('\0')).map((id) => relative(process.cwd(), id))
