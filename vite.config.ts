import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chunkModules } from './scripts/bundle/chunk-modules-plugin.ts'
import { antdStaticStyles } from './web/ui/antd/static-css-plugin.ts'
import { darkCss } from './web/ui/dark-css-plugin.ts'

export default defineConfig({
  root: 'web',
  plugins: [react(), antdStaticStyles(), darkCss(), chunkModules()],
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
    rolldownOptions: { input: ['web/index.html', 'web/api-docs.html'] },
  },
  server: { proxy: { '/api': `http://localhost:${process.env.PORT ?? 3000}` } },
})
