import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

// Writes the HTML files of the built pages: `write-pages.mjs <web> <documents.js>`. `documents.js`
// is web/prerender/documents.ts, built for Node. A separate process, because React reads NODE_ENV
// when it is loaded.
const [web, documentsFile] = process.argv.slice(2)
const { documents } = await import(pathToFileURL(documentsFile).href)
const read = (file) => readFileSync(join(web, file), 'utf8')
const manifest = JSON.parse(read('.vite/manifest.json'))
for (const { file, html } of await documents(read('index.html'), manifest, read))
  writeFileSync(join(web, file), html)
