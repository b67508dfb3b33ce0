import { join } from 'node:path'
import { mergeConfig, type Plugin } from 'vite'
import base from '../../../vite.config.ts'

const root = join(import.meta.dirname, '../../..')
const replaced = ['brand', 'site-content']

/** Imports of the brand get the files of this folder, apart from the imports in these files. */
const otherBrand: Plugin = {
  name: 'other-brand',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (importer?.startsWith(import.meta.dirname)) return null
    const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
    const name = replaced.find((file) => resolved?.id === join(root, `contracts/brand/${file}.ts`))
    return name === undefined ? resolved : join(import.meta.dirname, `${name}.ts`)
  },
}

/** The build of the product with another brand. */
export default mergeConfig(base, { plugins: [otherBrand] })
