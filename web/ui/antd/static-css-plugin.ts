import type { Plugin } from 'vite'

/** The module that `antd-provider.tsx` imports. It ends in .css, so vite treats it as a style sheet. */
const virtualId = 'virtual:antd.css'

/**
 * Serves antd's extracted style sheet as `virtual:antd.css`. Extraction takes a second and happens
 * once a build, on first use, so that a build or a dev server without an antd page never pays for it.
 */
export function antdStaticStyles(): Plugin {
  let css: string | undefined
  const resolvedId = `/@antd/${virtualId.slice('virtual:'.length)}`
  return {
    name: 'antd-static-styles',
    enforce: 'pre',
    resolveId: (id) => (id === virtualId ? resolvedId : undefined),
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
