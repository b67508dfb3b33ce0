import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { antdStaticStyles } from './web/ui/antd/static-css-plugin.ts'

export default defineConfig({
  root: 'web',
  plugins: [react(), antdStaticStyles()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // tests/web/bundle reads the manifest to hold the entry to its budget.
    manifest: true,
    // Maps are for our own error reports and the bundle test; the server does not hand them out.
    sourcemap: 'hidden',
    // The security policy allows no data: URLs in styles, and a hashed file is cached for good.
    assetsInlineLimit: 0,
    // The polyfill is an inline script, which the security policy forbids; every supported browser preloads modules.
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': `http://localhost:${process.env.PORT ?? 3000}` } },
})
