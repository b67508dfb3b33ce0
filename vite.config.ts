import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chunkModules } from './scripts/bundle/chunk-modules-plugin.ts'
import { antdStaticStyles } from './web/ui/antd/static-css-plugin.ts'
import { smallerAntd } from './web/ui/antd/smaller-antd-plugin.ts'
import { darkCss } from './web/ui/dark-css-plugin.ts'

export default defineConfig({
  root: 'web',
  plugins: [react(), antdStaticStyles(), smallerAntd(), darkCss(), chunkModules()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // npm run check:bundle and the prerendering read the manifest.
    manifest: true,
    // Source maps are for error reports and the bundle test. The server does not serve them.
    sourcemap: 'hidden',
    // The security policy allows no data: URLs in styles. Files with a hash in their name can be
    // cached permanently.
    assetsInlineLimit: 0,
    // The polyfill is an inline script, which the security policy forbids. Every supported browser
    // preloads modules.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['web/index.html', 'web/api-docs.html', 'web/client-portal.html'],
      // antd's parts do nothing when they are loaded, but their packages do not say so.
      treeshake: {
        moduleSideEffects: [{ test: /\/node_modules\/@rc-component\/.*\.js$/, sideEffects: false }],
      },
    },
  },
  // A worker loads the reader of XLSX files only if it needs it: the default format cannot.
  worker: { format: 'es' },
  server: { proxy: { '/api': `http://localhost:${process.env.PORT ?? 3000}` } },
})
