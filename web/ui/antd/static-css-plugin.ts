import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** The module that `antd-provider.tsx` imports. It ends in .css, so vite treats it as a style sheet. */
const virtualId = 'virtual:antd.css'
const resolvedId = '/@antd/antd.css'

const scrollbarSize = fileURLToPath(new URL('./scrollbar-size.ts', import.meta.url))

/**
 * antd without styles made in the browser: serves its extracted style sheet as `virtual:antd.css`,
 * and replaces its one helper that writes a style element. Extraction takes a second and happens once
 * a build, on first use, so that what needs no antd page never pays for it.
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
