import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const noColumnFilters = fileURLToPath(new URL('./no-column-filters.ts', import.meta.url))
const noRowSelection = fileURLToPath(new URL('./no-row-selection.ts', import.meta.url))

/**
 * Leaves out what antd's table imports and the console does not use: 33 kB that every administrator
 * would wait for.
 */
export function smallerAntd(): Plugin {
  return {
    name: 'smaller-antd',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer) {
      if (importer?.includes('/antd/es/table/') !== true) return undefined
      if (/\/FilterDropdown(\.js)?$/.test(source)) return noColumnFilters
      if (/\/useSelection(\.js)?$/.test(source)) return noRowSelection
      return undefined
    },
  }
}
