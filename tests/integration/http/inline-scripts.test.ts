import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import pino from 'pino'
import { inlineScriptSources } from '#services/http/inline-scripts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { serveArea } from '../../support/product/area-server.ts'

const hashed = (script: string) =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`

it('the policy allows the inline scripts of every built page, and no other source', async () => {
  const directory = await temporaryDirectory()
  await mkdir(join(directory.path, 'pricing'))
  await writeFile(
    join(directory.path, 'index.html'),
    `<!doctype html><script>one()</script>
<SCRIPT type="module">\r\n  two()\r\n</SCRIPT>
<script type="module" crossorigin src="/assets/app.js"></script>
<script type="application/ld+json">{"@type":"Product"}</script>
<script type="application/json">{}</script>`,
  )
  await writeFile(join(directory.path, 'pricing/index.html'), '<script>one()</script>')
  await writeFile(join(directory.path, 'app.js'), '"<script>three()</script>"')
  const sources = inlineScriptSources(directory.path)
  await directory.remove()
  expect(sources).toEqual([hashed('one()'), hashed('\n  two()\n')].sort())

  const server = await serveArea(() => undefined, pino({ level: 'silent' }), { scripts: sources })
  const policy = (await fetch(`${server.url}/healthz`)).headers.get('content-security-policy') ?? ''
  await server.close()
  expect(policy.split(';')).toContain(`script-src 'self' ${sources.join(' ')}`)
})
