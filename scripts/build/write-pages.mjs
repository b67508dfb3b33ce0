import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

// Writes the HTML files of the built pages: `write-pages.mjs <web> <documents.js>`. `documents.js`
// is web/prerender/documents.ts, built for Node. A separate process, because React reads NODE_ENV
// when it is loaded.
const [web, documentsFile] = process.argv.slice(2)
const { documents } = await import(pathToFileURL(documentsFile).href)
const template = readFileSync(join(web, 'index.html'), 'utf8')
const manifest = JSON.parse(readFileSync(join(web, '.vite/manifest.json'), 'utf8'))
for (const { file, html } of await documents(template, manifest))
  writeFileSync(join(web, file), html)
