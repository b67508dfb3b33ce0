import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/**
 * The module that `antd-provider.tsx` imports. The name ends in .css, so that vite treats it as a
 * style sheet.
 */
const virtualId = 'virtual:antd.css'
const resolvedId = '/@antd/antd.css'

const scrollbarSize = fileURLToPath(new URL('./scrollbar-size.ts', import.meta.url))

/**
 * Serves antd's extracted style sheet as `virtual:antd.css` and replaces antd's only helper that
 * writes a style element. So antd creates no styles in the browser. The extraction takes 1 s and
 * runs once per build, on the first import.
 */
export function antdStaticStyles(): Plugin {
  let css: string | undefined
  return {
    name: 'antd-static-styles',
    enforce: 'pre',
    resolveId(source, importer) {
      if (source === virtualId) return resolvedId
      const isScrollbarSize =
        /\/getScrollBarSize(\.js)?$/.test(source) && importer?.includes('/@rc-component/util/')
      return isScrollbarSize ? scrollbarSize : undefined
    },
    async load(id) {
      if (id !== resolvedId) return undefined
      if (css === undefined) {
        const { antdStaticCss } = await import('./static-css.tsx')
        css = antdStaticCss()
      }
      return css
    },
  }
}
